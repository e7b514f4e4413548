"""The blocks of a page in a language: captions, names of columns, terms and sentences that the catalogue has.

Texts with values are translated where they are made. Cells, values of facts and sentences of the analysis stay as they
are.
"""

from collections.abc import Iterable

from cranfield.report.blocks import Block, Facts, Figures, TableBlock, Text
from cranfield.web.language import Language


def translate_table(language: Language, block: TableBlock) -> TableBlock:
    """Translate the caption and the names of the columns.

    >>> translate_table(Language(), TableBlock("t", "Links", [{"topic": 1}])).heads
    {'topic': 'topic'}
    """
    heads = {name: language.look_up(block.heads.get(name, name)) for name in block.rows[0]} if block.rows else {}
    return block._replace(
        caption=language.look_up(block.caption), filter=language.look_up(block.filter), heads={**block.heads, **heads}
    )


def translate_block(language: Language, block: Block) -> Block:
    """Translate a block of a page."""
    if isinstance(block, TableBlock):
        return translate_table(language, block)
    if isinstance(block, Text):
        return block._replace(text=language.look_up(block.text))
    if isinstance(block, Facts):
        return Facts([(language.look_up(term), value) for term, value in block.pairs])
    if isinstance(block, Figures):
        return Figures([one._replace(caption=language.look_up(one.caption)) for one in block.figures])
    return block


def translate_blocks(language: Language, blocks: Iterable[Block]) -> list[Block]:
    """Translate the blocks of a page, in their order."""
    return [translate_block(language, block) for block in blocks]
