"""The fields of interaction logs, under the names that files usually have for them."""

from cranfield.hooks import FileKind

LOG_FILE = FileKind(
    "log",
    "a log",
    {
        "id": ("id", "impression_id"),
        "at": ("at", "time", "timestamp"),
        "user": ("user", "user_id", "client_id"),
        "session": ("session", "session_id"),
        "qid": ("qid",),
        "query": ("query", "user_query"),
        "experiment": ("experiment",),
        "arm": ("arm", "variant"),
        "docs": ("docs", "documents"),
        "first": ("first", "offset"),
        "teams": ("teams",),
        "propensity": ("propensity", "propensities"),
        "actions": ("actions",),
        "doc": ("doc", "docno", "doc_id", "item_id", "document_id", "product_id"),
        "position": ("position", "rank"),
        "kind": ("kind", "action", "event"),
        "click": ("click", "clicked"),
        "seconds": ("seconds", "dwell", "dwell_time"),
        "value": ("value", "revenue"),
    },
)
