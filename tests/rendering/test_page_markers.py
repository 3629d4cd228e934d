from hypothesis import given
from hypothesis import strategies as st

from muddle_utils.rendering import pdf
from muddle_utils.rendering.page_markers import Page, break_markers, join_pages, split_pages


def test_marker_format():
    pages = [Page(1, "", "One."), Page(2, "ii", "Two.\n\nMore."), Page(3, "3", "")]
    markdown = join_pages(pages)
    assert markdown == (
        "<!-- page 1 -->\n\nOne.\n\n<!-- page 2, label ii -->\n\nTwo.\n\nMore.\n\n<!-- page 3 -->\n\n\n\n"
    )
    assert split_pages(markdown) == [Page(1, "", "One."), Page(2, "ii", "Two.\n\nMore."), Page(3, "", "")]
    assert split_pages("no markers\n") == []


text_with_markers = st.lists(
    st.sampled_from(
        ["<!-- page 1 -->", "<!", "-- page", " 2, label x -->", "\n", "<!--\tPAGE 3-->", "word", "\r", "\x85"]
    )
    | st.text(max_size=5)
).map("".join)


@given(st.lists(st.tuples(text_with_markers, text_with_markers), max_size=4))
def test_split_is_the_inverse_of_join_for_any_text(pairs):
    pages = []
    for number, (label, text) in enumerate(pairs, start=1):
        pages.append(Page(number, " ".join(pdf.clean_text(label).split()), break_markers(pdf.clean_text(text))))
    again = split_pages(join_pages(pages))
    assert [page.number for page in again] == [page.number for page in pages]
    assert [page.text for page in again] == [page.text for page in pages]
