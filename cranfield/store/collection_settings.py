"""The name, description and grades of a store that has no data yet, which a whole collection may replace."""

import json

from cranfield.store.store import Collection, Store

DATA_TABLES = ("document", "topic", "run", "pool", "assessor", "plan", "judgment_event", "round", "release")


def has_data(store: Store) -> bool:
    """Whether a store has anything but its name and grades, settings, and links of the server.

    >>> with Store.memory("small") as store:
    ...     before = has_data(store)
    ...     store.ensure_docnos(["d1"])
    ...     before, has_data(store)
    (False, True)
    """
    return any(store.has_rows(table) for table in DATA_TABLES)


def replace_collection(store: Store, about: Collection) -> None:
    """Replace the description of the collection in a store without data.

    >>> with Store.memory("small") as store:
    ...     replace_collection(store, store.collection._replace(name="other", grades={0: "no", 1: "yes"}))
    ...     store.collection.name, store.collection.grades
    ('other', {0: 'no', 1: 'yes'})
    """
    values = about._asdict() | {"grades": json.dumps(about.grades)}
    names = ", ".join(f"{name} = ?" for name in values)
    with store.writing():
        store.conn.execute(f"UPDATE collection SET {names}", [*values.values()])
