"""The blocks of a page in a language: captions, names of columns, terms and sentences that the catalogue has.

Other texts with values are translated where they are made. Cells and sentences of the analysis stay as they are.
"""

from collections.abc import Iterable
from typing import Any

from cranfield.report.blocks import Block, Facts, Figures, Section, TableBlock, Text
from cranfield.web.language import Language
from cranfield.web.policy_titles import name_policies


def page_message(language: Language, text: str) -> str:
    """Return a message of a lower layer in a language, with the titles of policies in place of their names.

    >>> page_message(Language(), "scored by 6 labels, policy max")
    'scored by 6 labels, policy "highest label"'
    """
    return language.translate_message(name_policies(text, language))


def translate_table(language: Language, block: TableBlock) -> TableBlock:
    """Translate the caption and the names of the columns.

    >>> translate_table(Language(), TableBlock("t", "Links", [{"topic": 1}])).heads
    {'topic': 'topic'}
    """
    heads = {name: language.look_up(block.heads.get(name, name)) for name in block.rows[0]} if block.rows else {}
    return block._replace(
        caption=language.look_up(block.caption), filter=language.look_up(block.filter), heads={**block.heads, **heads}
    )


def translate_cells(language: Language, block: TableBlock, *columns: str) -> TableBlock:
    """Translate the texts in some columns, such as states.

    >>> translate_cells(Language(), TableBlock("t", "Runs", [{"run": "a", "state": "late"}]), "state").rows
    [{'run': 'a', 'state': 'late'}]
    """
    rows = [
        {name: language.translate_message(str(cell)) if name in columns else cell for name, cell in row.items()}
        for row in block.rows
    ]
    return block._replace(rows=rows)


def translate_block(language: Language, block: Block) -> Block:
    """Translate a block of a page."""
    if isinstance(block, TableBlock):
        return translate_table(language, block)
    if isinstance(block, Text):
        return block._replace(text=page_message(language, block.text))
    if isinstance(block, Facts):
        pairs = [(language.translate_message(term), _translated_fact(language, value)) for term, value in block.pairs]
        return block._replace(pairs=pairs)
    if isinstance(block, Figures):
        return Figures([one._replace(caption=language.look_up(one.caption)) for one in block.figures])
    return block


def _translated_fact(language: Language, value: str) -> str:
    """The value of a fact; a value of one word is data, such as a name."""
    return language.translate_message(value) if " " in value else value


def translate_blocks(language: Language, blocks: Iterable[Block]) -> list[Block]:
    """Translate the blocks of a page, in their order."""
    return [translate_block(language, block) for block in blocks]


def translate_value(language: Language, value: Any) -> Any:
    """Translate a value of a page: a block, a section, or a list of these; others stay as they are."""
    if isinstance(value, Section):
        blocks = translate_blocks(language, value.blocks)
        return value._replace(title=language.look_up(value.title), blocks=blocks)
    if isinstance(value, Block):
        return translate_block(language, value)
    return [translate_value(language, one) for one in value] if isinstance(value, list) else value
