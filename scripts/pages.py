"""Tables in pages of the book that scripts renew: each stands between two comments."""

import re
import sys


def put(page, name, text):
    """Replaces what stands in a page between the comments of a name."""
    found = re.compile(rf"(<!-- {name} -->\n).*(<!-- end of {name} -->)", re.DOTALL)
    renewed, times = found.subn(lambda around: around[1] + text + around[2], page.read_text())
    if times != 1:
        sys.exit(f"{page} has no place for {name}")
    page.write_text(renewed)
    print(text)


def table(*rows):
    return "".join("| " + " | ".join(map(str, cells)) + " |\n" for cells in rows)
