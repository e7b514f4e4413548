"""The recorded choice of whose labels count where several differ."""

from cranfield.selection import Labellers
from cranfield.store.store import Store


def recorded_labellers(store: Store) -> Labellers:
    """The last choice; that of everybody without one."""
    if not store.has_rows("label_choice"):
        return Labellers()
    rows = store.rows(
        "SELECT a.name, c.policy FROM label_choice c LEFT JOIN assessor a ON a.id = c.assessor"
        " ORDER BY c.id DESC LIMIT 1"
    )
    return Labellers(rows[0][0], policy=rows[0][1]) if rows else Labellers()
