"""What a capability adds to Cranfield: one class, whose methods add nothing until a subclass overrides them.

Each folder of `cranfield/features/` has a `feature.py` with a subclass. An installed package has a subclass too, and
names it at the entry point group `cranfield.features`. A method imports what it needs inside its body: whoever scores
a run imports nothing of a feature. docs/extending.md has a complete example and a table of the methods.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import TextIO

    from starlette.routing import Route

    from cranfield.analysis.collections import FolderReader
    from cranfield.analysis.labels import LabelReader
    from cranfield.arrays.rankings import Runs
    from cranfield.formats.files import Format
    from cranfield.formats.records import Document, Kind
    from cranfield.formats.runs.files import RunInfo
    from cranfield.hooks import AddedOptions, Commands, FileKind, Functions
    from cranfield.judging.labels.pairs import Pair
    from cranfield.judging.planning.label_work import LabelWork
    from cranfield.judging.planning.overview import Attention
    from cranfield.judging.planning.sections import ProgressTable
    from cranfield.metrics.measure import DescribedNames, Measure
    from cranfield.pooling.method import Method
    from cranfield.report.blocks import Section
    from cranfield.store.corpus import PartHere, PictureSource
    from cranfield.store.erasing import Find
    from cranfield.store.removal import Removers
    from cranfield.store.store import Store
    from cranfield.store.withdrawals import UnrankedRuns
    from cranfield.web.application import Application
    from cranfield.web.look.view import LookView
    from cranfield.web.open_sessions import JudgingRole
    from cranfield.web.organise.download import Download
    from cranfield.web.organise.section import OrganiserSection
    from cranfield.web.organise.upload import Upload


class Extension:
    """Add a capability to Cranfield. Override what you need: every default adds nothing.

    The attributes are data, so that help pages import no feature: `name`, which is also the group of an installed
    package's commands; `needs`, the names of other extensions; `commands` and `groups`, what each group is for;
    `functions` of the Python interface, by namespace; `added_options` of commands of the core; `tables`, the places of
    the Tables that it keeps in stores, which know them by these names; `file_kinds`, the kinds of files that it reads
    next to those of the core; and `interface`, the version of this class that an installed package was written for.
    """

    name: ClassVar[str]
    needs: ClassVar[tuple[str, ...]] = ()
    commands: ClassVar[tuple[Commands, ...]] = ()
    groups: ClassVar[Mapping[str, str]] = {}
    functions: ClassVar[tuple[Functions, ...]] = ()
    added_options: ClassVar[tuple[AddedOptions, ...]] = ()
    tables: ClassVar[tuple[str, ...]] = ()
    file_kinds: ClassVar[tuple[FileKind, ...]] = ()
    interface: ClassVar[int] = 0

    @property
    def package(self) -> str:
        """The package that the class is in."""
        module = type(self).__module__
        return module.rpartition(".")[0] or module

    def load(self, place: str) -> Any:
        """Import an object of the package by its place, such as "store.tables:TABLES"."""
        module, _, name = place.partition(":")
        return getattr(import_module(f"{self.package}.{module}"), name)

    # Files, measures, pools

    def formats(self, kind: Kind) -> Sequence[Format]:
        """Return the file formats of a kind, to be tried after the core's formats or before the one that each names.

        Parameters
        ----------
        kind : str
            The kind of files, such as "topics" or "log".

        Returns
        -------
        sequence of Format
            The formats, in the order in which they are tried.
        """
        return ()

    def measures(self) -> Sequence[Measure]:
        """Return the measures that this extension adds.

        Returns
        -------
        sequence of Measure
            The measures, which `-m` and `measures=` then take by name.
        """
        return ()

    def described_names(self) -> DescribedNames | None:
        """Return names that `cranfield measures` also describes although they do not belong to a Measure.

        Returns
        -------
        DescribedNames or None
            The names that the shell completes, and a function that describes a name.
        """
        return None

    def pooling_methods(self) -> Sequence[Method]:
        """Return the pooling methods that this extension adds.

        Returns
        -------
        sequence of Method
            The methods, which `--method` then takes by name.
        """
        return ()

    # What is in a store

    def progress(self, store: Store) -> Mapping[str, ProgressTable]:
        """Return tables that `cranfield progress` also shows, by name.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        mapping of str to ProgressTable
            The title and the rows of each table; a table without rows is not shown.
        """
        return {}

    def label_work(self, store: Store) -> Sequence[LabelWork]:
        """Return people's work on labels other than document labels.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        sequence of LabelWork
            For each kind of labels, what is to be labelled, and what each assessor has done.
        """
        return ()

    def last_signs(self, store: Store) -> Mapping[str, str]:
        """Return when each assessor last worked on anything other than documents.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        mapping of str to str
            The moment in UTC, by assessor.
        """
        return {}

    def attention(self, store: Store) -> Sequence[Attention]:
        """Return what an organiser has to do about this extension's data.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        sequence of Attention
            The lines that the overview of the server shows under "Needs attention", each with the organiser's page
            that has the remedy.
        """
        return ()

    def verify(self, store: Store) -> None:
        """Raise StoreError if recorded data of this extension was changed.

        Parameters
        ----------
        store : Store
            The open store.

        Raises
        ------
        StoreError
            If a row was changed; the message names the row.
        """

    def unstored_files(self, store: Store) -> Sequence[str]:
        """Return a line for each file next to the store whose contents are not yet in the store.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        sequence of str
            A line for each file. An erasure is refused as long as such a file exists.
        """
        return ()

    def label_matrices(self) -> Mapping[str, LabelReader]:
        """Return functions that read other labels than document labels as a matrix, by their name in `agreement --of`.

        Returns
        -------
        mapping of str to function
            By name, a function of the store, the assessors and whose labels to read. It returns a LabelMatrix.
        """
        return {}

    def judged_apart(self, store: Store) -> Mapping[Pair, str]:
        """Return the judged pairs that did not come only from pools, and how each pair was found.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        mapping of (str, str) to str
            By topic and document, how the pair was found, such as "search".
        """
        return {}

    def unranked_runs(self, store: Store) -> UnrankedRuns | None:
        """Return this extension's runs without rankings, or None if the store contains no such runs.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        UnrankedRuns or None
            By tag, the table and the number of the first row, which `cranfield store withdraw` withdraws; and how
            to score them.
        """
        return None

    def document_source(self, store: Store) -> PartHere | None:
        """Return which part of the corpus the store contains, or None if it contains the whole corpus.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        PartHere or None
            The texts in the store, the documents of the corpus, and where the other texts are.
        """
        return None

    def pictures(self) -> PictureSource | None:
        """Return the functions that find and copy the pictures in documents.

        Returns
        -------
        PictureSource or None
            A function that finds a picture by its SHA-256, and a function that copies pictures into a bundle.
        """
        return None

    # What is added to a store, and what is taken from it

    def new_runs(self, store: Store, runs: Runs, infos: Mapping[str, RunInfo]) -> tuple[Runs, Mapping[str, RunInfo]]:
        """Return new runs as the store should store them, with information about each run.

        Parameters
        ----------
        store : Store
            The open store.
        runs : Runs
            The runs to import.
        infos : mapping of str to RunInfo
            Information about each run, by tag.

        Returns
        -------
        (Runs, mapping of str to RunInfo)
            The runs to add, and information about each run.
        """
        return runs, infos

    def new_documents(self, store: Store, documents: Iterable[Document]) -> Iterable[Document]:
        """Return new documents as the store should store them.

        Parameters
        ----------
        store : Store
            The open store.
        documents : iterable of Document
            The documents to import.

        Returns
        -------
        iterable of Document
            The documents to add.
        """
        return documents

    def removers(self) -> Removers | None:
        """Return the functions to call when a run, an import or a document is removed.

        Returns
        -------
        Removers or None
            The functions that undo imports, by kind; and what goes with a run, an import or a document.
        """
        return None

    def erasers(self) -> Mapping[str, Find]:
        """Return functions that erase people who are not assessors, by kind of person.

        Returns
        -------
        mapping of str to Find
            By kind, a function of the store, the name, the name that replaces it, and the options of extensions.
            It returns the rows to redact and a function that redacts them.
        """
        return {}

    # Folders and recipes

    def folder_reader(self) -> FolderReader | None:
        """Return functions that read folders with complete collections, and the recipes' files in them.

        Returns
        -------
        FolderReader or None
            The functions that read a folder, describe what was not imported, and finish a recipe's store.
        """
        return None

    # Pages and reports

    def report_sections(self, store: Store) -> Sequence[Section]:
        """Return sections to add to the report on a store.

        Parameters
        ----------
        store : Store
            The open store.

        Returns
        -------
        sequence of Section
            The sections, in their order on the page.
        """
        return ()

    def views(self) -> Mapping[str, LookView]:
        """Return views to add to `cranfield serve`, by the name in their address.

        Returns
        -------
        mapping of str to LookView
            The views.
        """
        return {}

    def routes(self, application: Application) -> Sequence[Route]:
        """Return the routes of this extension's own pages.

        Parameters
        ----------
        application : Application
            The application of `cranfield serve`.

        Returns
        -------
        sequence of Route
            The routes.
        """
        return ()

    def organiser_pages(self) -> Mapping[str, OrganiserSection]:
        """Return pages to add for the organiser, by the name in their address.

        Returns
        -------
        mapping of str to OrganiserSection
            The pages.
        """
        return {}

    def downloads(self) -> Mapping[str, Download]:
        """Return files that the organiser can download in the browser, by the name in their address.

        Returns
        -------
        mapping of str to Download
            The files.
        """
        return {}

    def uploads(self) -> Mapping[str, Upload]:
        """Return forms for files that the organiser can upload in the browser, by the name in their address.

        Returns
        -------
        mapping of str to Upload
            The forms.
        """
        return {}

    def roles(self) -> Sequence[JudgingRole]:
        """Return the roles that a link for an assessor can have, and what each role does in the browser.

        Returns
        -------
        sequence of JudgingRole
            The roles.
        """
        return ()

    def before_judging(self, store: Store, assessor: str, source: TextIO, target: TextIO, width: int) -> bool:
        """Ask an assessor questions before they judge in a terminal; return whether to continue.

        Parameters
        ----------
        store : Store
            The open store.
        assessor : str
            The assessor's name.
        source : text file
            What the assessor types.
        target : text file
            The terminal.
        width : int
            The characters of a line.

        Returns
        -------
        bool
            Whether to continue; False ends the command.
        """
        return True
