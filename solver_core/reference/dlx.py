"""Sudoku as an exact cover, solved with Knuth's dancing links ("Dancing Links", 2000: Algorithm X on linked lists).

There are 729 options, "digit d in cell c", and 324 things to be covered exactly once each:

    item    0..80    cell c is filled                      cell
            81..161  row r has its d             81 + 9 * row    + digit
            162..242 column k has its d         162 + 9 * column + digit
            243..323 box b has its d            243 + 9 * box    + digit      (digit from 0 here)

An option covers four of them. Options are rows and items are columns of a sparse matrix, whose nodes are linked to
their neighbours in four directions:

    root <-> item <-> item <-> item ...      the items not covered yet
              |        |
             node <-> node <-> node <-> node (and round)   the four nodes of one option
              |        |

Taking a node out of its list leaves its own links as they are, so it can dance back in, in reverse order. Choosing
the item with the fewest options left takes in hidden singles as well as naked ones.
"""

from collections.abc import Iterator
from functools import cache

from solver_core.reference.search import CELLS, Effort, box_of

ITEMS = 324
ROOT = 0  # nodes 1 to 324 are the heads of the items, then come four nodes for each option
FIRST_NODE = 1 + ITEMS


class _Links:
    """The matrix; node numbers index all lists, and `size` counts the options of an item."""

    def __init__(self) -> None:
        """Build the matrix of the empty grid."""
        self.left = [head - 1 for head in range(FIRST_NODE)]
        self.right = [head + 1 for head in range(FIRST_NODE)]
        self.left[ROOT], self.right[ITEMS] = ITEMS, ROOT
        self.up, self.down, self.head = ([*range(FIRST_NODE)] for _ in range(3))
        self.size = [0] * FIRST_NODE
        for option in range(CELLS * 9):
            self._add(option)

    def _add(self, option: int) -> None:
        """Append the four nodes of an option at the bottom of their items."""
        first = FIRST_NODE + 4 * option
        for i, item in enumerate(_items_of(option)):
            node, head = first + i, 1 + item
            self.left.append(first + (i - 1) % 4)
            self.right.append(first + (i + 1) % 4)
            self.up.append(self.up[head])
            self.down.append(head)
            self.head.append(head)
            self.down[self.up[head]] = node
            self.up[head] = node
            self.size[head] += 1

    def copy(self) -> "_Links":
        """The same matrix in lists of its own, for a search dropped half way leaves its lists in disorder."""
        other = object.__new__(_Links)
        for name, links in vars(self).items():
            setattr(other, name, links.copy())
        return other

    def cover(self, head: int) -> None:
        """Take an item out, and out of all other items every option that would cover it again."""
        left, right, up, down = self.left, self.right, self.up, self.down
        right[left[head]], left[right[head]] = right[head], left[head]
        row = down[head]
        while row != head:
            node = right[row]
            while node != row:
                down[up[node]], up[down[node]] = down[node], up[node]
                self.size[self.head[node]] -= 1
                node = right[node]
            row = down[row]

    def uncover(self, head: int) -> None:
        """Undo the last `cover`, in exactly reversed order."""
        left, right, up, down = self.left, self.right, self.up, self.down
        row = up[head]
        while row != head:
            node = left[row]
            while node != row:
                down[up[node]] = up[down[node]] = node
                self.size[self.head[node]] += 1
                node = left[node]
            row = up[row]
        right[left[head]] = left[right[head]] = head

    def smallest(self) -> int:
        """The item with the fewest options left, the first such; `ROOT` when all are covered."""
        best, head = ROOT, self.right[ROOT]
        while head != ROOT:
            if best == ROOT or self.size[head] < self.size[best]:
                best = head
                if self.size[best] <= 1:
                    break
            head = self.right[head]
        return best


def solutions(cells: bytes, effort: Effort) -> Iterator[bytes]:
    """Yield every solution, depth first; the options of an item are taken lowest cell, then lowest digit first."""
    links = _empty_grid().copy()
    for cell, digit in enumerate(cells):
        if digit:
            for item in _items_of(cell * 9 + digit - 1):
                links.cover(1 + item)
    yield from _search(links, bytearray(cells), effort)


def _search(links: _Links, grid: bytearray, effort: Effort) -> Iterator[bytes]:
    """Yield every exact cover of the items that are left; links and grid are left as they were."""
    head = links.smallest()
    if head == ROOT:
        yield bytes(grid)
        return
    if links.size[head] > 1:
        effort.guess()
    links.cover(head)
    row = links.down[head]
    while row != head:
        others = _others(links.right, row)
        for node in others:
            links.cover(links.head[node])
        cell, digit = divmod((row - FIRST_NODE) // 4, 9)
        grid[cell] = digit + 1
        yield from _search(links, grid, effort)
        grid[cell] = 0
        for node in reversed(others):
            links.uncover(links.head[node])
        row = links.down[row]
    links.uncover(head)


def _others(right: list[int], row: int) -> list[int]:
    """The other three nodes of an option."""
    return [right[row], right[right[row]], right[right[right[row]]]]


def _items_of(option: int) -> tuple[int, int, int, int]:
    """The four items that an option covers; the table above."""
    cell, digit = divmod(option, 9)
    row, column = divmod(cell, 9)
    return cell, 81 + 9 * row + digit, 162 + 9 * column + digit, 243 + 9 * box_of(cell) + digit


@cache
def _empty_grid() -> _Links:
    return _Links()
