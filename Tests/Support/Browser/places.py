"""Bob finds photos by the names of their places, and reads where they were taken."""
import json, os, pathlib
from pictures import exif, jpeg, png, with_exif
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

os.chdir(os.environ["HOME"])
MAY = 1715767200
folder = pathlib.Path("camera")
folder.mkdir()
places = {"tokyo": (35.6895, 139.6917), "sydney": (-33.8568, 151.2153), "harbour": (-33.8588, 151.2140), "sea": (0.5, -30.0)}
for number, (name, place) in enumerate(places.items()):
    with_exif(jpeg(folder / f"{name}.jpg", (9, 60 * number, 99), date=MAY - number * 86400), exif(place))
png(folder / "plain.png", (220, 90, 90), date=MAY - 9 * 86400)

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
keys = lambda *names: ActionChains(bob.driver).send_keys(*names).perform()
names = lambda: [alt.split(",")[0] for alt in bob.pictures()]

# A city, region or country in any language of the pages, also beside other words; the command finds the same.
bob.go("/library")
for text, found in [("Sydney", ["sydney.jpg", "harbour.jpg"]), ("シドニー", ["sydney.jpg", "harbour.jpg"]),
                    ("new south wales harbour", ["harbour.jpg"]), ("australien", ["sydney.jpg", "harbour.jpg"]),
                    ("東京", ["tokyo.jpg"]), ("japón may 2024", ["tokyo.jpg"]), ("Munich", [])]:
    bob.fill("q", text)
    keys(Keys.ENTER)
    bob.until(lambda: bob.title == text)
    assert names() == found, (text, names())
    if "2024" not in text:
        for words in [text.split(), [text]]:
            listed = json.loads(photolala("find", *words, "--json"))["photos"]
            assert sorted(photo["path"].split("/")[-1] for photo in listed) == sorted(found), (words, listed)

# The information names the place above the link to the map, in the language of the page; not at sea.
place = lambda: [row.text.split("\n")[0] for row in bob.all("#info dd[data-latitude]")]
bob.go("/library").all(".grid a")[0].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
keys("i")
bob.until(lambda: bob.all(".map"))
assert place() == ["Tokyo, Japan"] and bob.all("#info a[href*='openstreetmap']")[0].text == "Open in OpenStreetMap", place()
bob.check("places")
bob.all("#info dd[data-latitude] a")[0].click()
bob.arrives("/library?place=").until(lambda: bob.title == "Tokyo, Japan")
assert names() == ["tokyo.jpg"], names()
bob.go("/library").all(".grid a")[3].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
keys("i")
bob.until(lambda: bob.all(".map"))
assert place() == ["0.50000, -30.00000"] and len(bob.all("#info dd[data-latitude] a")) == 1, place()
bob.go("/library").menu("Deutsch").all(".grid a")[2].click()
bob.arrives("/library/photo").until(lambda: bob.all("#slideshow:not([hidden])"))
keys("i")
bob.until(lambda: bob.all(".map"))
assert place() == ["Sydney, New South Wales, Australien"], place()

# The page of places has a dot and a cover for each city; both lead to its photos. The map is one stop of the tab key.
cards = lambda: [card.text.replace("\n", " ") for card in bob.all(".albums li")]
bob.go("/library").press("Orte").is_at("/library/places")
assert cards() == ["Sydney New South Wales, Australien 2 Elemente", "Tokio Japan 1 Element"], cards()
bob.has("1 Element ohne Standort", "1 Element fern jeder Stadt").named("Konto und Einstellungen").click()
bob.press("English").is_at("/library/places").until(lambda: bob.script(
    "return [...document.querySelectorAll('.albums img')].every(image => image.naturalWidth > 0)"))
bob.check("places-map")
# Photos without a location, and those far from any city, are one press away; their kinds are, too.
for text, title, found in [("1 item without a location", "No location", ["plain.png"]),
                           ("1 item far from any city", "Far from any city", ["sea.jpg"])]:
    bob.press(text).has("1 result")
    assert bob.title == title and names() == found, (bob.title, names())
    assert bob.all(".rail [aria-current]")[0].text == "Places"
    bob.go(f"{bob.path}&kind=video").has("0 results").press("Remove all filters").has("1 result").press("Places")
focused = lambda: bob.driver.switch_to.active_element.get_attribute("aria-label")
stops = lambda: [dot.get_attribute("aria-label") for dot in bob.all("#places-map a[tabindex='0']")]
bob.script("document.querySelector('#places-map a[tabindex=\"0\"]').focus()")
assert focused() == "Sydney, New South Wales, Australia: 2" and stops() == [focused()], stops()
keys(Keys.ARROW_RIGHT)
assert focused().startswith("Sydney")
keys(Keys.ARROW_UP)
assert focused() == "Tokyo, Japan: 1" and stops() == [focused()], stops()
# The dots have their names, as far as those cover nothing.
named = lambda: [text.text for text in bob.all("#places-map .name") if text.is_displayed()]
assert named() == ["Sydney", "Tokyo"], named()
# The dots have their numbers. The map is zoomed by its buttons, the wheel and keys, and moved by dragging.
assert [text.text for text in bob.all("#places-map .count")] == ["2", "1"]
view = lambda: [float(each) for each in bob.all("#places-map")[0].get_dom_attribute("viewBox").split(" ")]
home = view()
bob.named("Zoom in").click()
bob.until(lambda: abs(view()[2] - home[2] / 2) < 0.01, f"the map is not zoomed: {view()}")
# A place stays in view, however often the map is zoomed.
zoomed = view()
assert bob.script("""const { x, y, width, height } = document.querySelector("#places-map").viewBox.baseVal
    return [...document.querySelectorAll("#places-map a:not([hidden]) circle")].some(({ cx, cy }) =>
        cx.baseVal.value >= x && cx.baseVal.value <= x + width && cy.baseVal.value >= y && cy.baseVal.value <= y + height)""")
ActionChains(bob.driver).move_to_element(bob.all("#places-map")[0]).click_and_hold().move_by_offset(60, 20).release().perform()
moved = view()
assert moved[0] < zoomed[0] and abs(moved[2] - home[2] / 2) < 0.01 and bob.path == "/library/places", moved
keys("+")
bob.until(lambda: view()[2] < moved[2], "the key does not zoom")
bob.script("""document.querySelector('#places-map').dispatchEvent(
    new WheelEvent('wheel', { deltaY: 9000, clientX: 300, clientY: 300, bubbles: true, cancelable: true }))""")
bob.until(lambda: abs(view()[2] - home[2]) < 0.01, "the wheel does not zoom")
bob.named("Zoom out").click()
bob.until(lambda: view()[2] > home[2]).named("Show all places").click()
bob.until(lambda: view() == home, f"not all places are shown: {view()}")
# It is zoomed as far as the coastline, which only this page loads, has details.
bob.script("document.querySelector('#places-map a[tabindex=\"0\"]').focus()")
while bob.all("#map-in:enabled"):
    last = view()
    keys("+")
    bob.until(lambda: view()[2] < last[2] or not bob.all("#map-in:enabled"))
assert abs(bob.script("return document.querySelector('#places-map').clientWidth") / view()[2] - 100) < 1, view()
assert bob.all("#places-map image")[0].get_attribute("href").endswith("/coastline.svg")
# A dot that is not in view has no name there.
assert len(named()) == 1, named()
# However near other dots and their names are, the one with the most photos has its name.
bob.go("/library/places").driver.set_window_size(390, 900)
bob.driver.execute_async_script("""const [first, other] = document.querySelectorAll("#places-map a")
    const { x, y, width, height } = document.querySelector("#places-map").viewBox.baseVal
    const place = (link, across, down) => {
        link.querySelector("circle").setAttribute("cx", x + width / 2 + across * width / 358)
        link.querySelector("circle").setAttribute("cy", y + height / 2 + down * width / 358) }
    place(first, 0, 0)
    first.dataset.total = 50
    for (let number = 0; number < 12; number++) {
        const link = number === 0 ? other : other.cloneNode(true)
        place(link, 36 * Math.cos(number * Math.PI / 6), 36 * Math.sin(number * Math.PI / 6))
        first.parentElement.append(link) }
    import(document.querySelector("script[src*='places.js']").src + "?crowd").then(() => arguments[0]())""")
bob.until(lambda: named()[:1] == ["Sydney"], "the largest place has no name").driver.set_window_size(1280, 900)
bob.go("/library/places")
# Places that would cover each other are one dot, which zooms to them.
bob.driver.execute_async_script("""for (const dot of document.querySelectorAll('#places-map circle')) {
        dot.setAttribute('cx', 100 + 4 * dot.parentElement.dataset.total); dot.setAttribute('cy', 0) }
    import(document.querySelector("script[src*='places.js']").src + "?again").then(() => arguments[0]())""")
dots = lambda: [dot for dot in bob.all("#places-map a") if dot.is_displayed()]
bob.until(lambda: len(dots()) == 1, "the places are not one dot").check("places-cluster")
name = "Sydney and 1 more: 3"
assert (dots()[0].accessible_name, dots()[0].aria_role) == (name, "button"), dots()[0].accessible_name
dots()[0].find_element("tag name", "circle").click()
bob.until(lambda: len(dots()) == 2, "the dot does not zoom").is_at("/library/places")
assert bob.script("return getComputedStyle(document.activeElement).outlineStyle") == "none"
# Where the map cannot be zoomed further, the dot leads to their tiles.
bob.go("/library/places").driver.execute_async_script("""for (const dot of document.querySelectorAll('#places-map circle')) {
        dot.setAttribute('cx', 100 + 0.03 * dot.parentElement.dataset.total); dot.setAttribute('cy', 0) }
    import(document.querySelector("script[src*='places.js']").src + "?near").then(() => arguments[0]())""")
bob.until(lambda: len(dots()) == 1).script("document.querySelector('#places-map a:not([hidden])').focus()")
while bob.all("#map-in:enabled"):
    last = view()
    keys("+")
    bob.until(lambda: view()[2] < last[2] or not bob.all("#map-in:enabled"))
assert len(dots()) == 1 and not bob.all(".albums .marked"), dots()
dots()[0].find_element("tag name", "circle").click()
bob.until(lambda: len(bob.all(".albums .marked")) == 2, "the dot leads nowhere").is_at("/library/places")
assert bob.driver.switch_to.active_element.text.startswith("Sydney"), bob.driver.switch_to.active_element.text
bob.go("/library/places").script("document.querySelector('#places-map a[tabindex=\"0\"]').focus()")
keys(Keys.ARROW_UP)
assert focused() == "Tokyo, Japan: 1", focused()
keys(Keys.ENTER)
bob.arrives("/library?place=").until(lambda: bob.title == "Tokyo, Japan")
assert names() == ["tokyo.jpg"] and bob.all(".rail [aria-current]")[0].text == "Places", names()
bob.press("Places").all(".albums a")[0].click()
# A chip that finds nothing is not offered, and a kind that the search names is marked instead of all kinds.
chips = lambda: [each.text + "*" * bool(each.get_attribute("aria-current")) for each in bob.all(".filters a")]
bob.until(lambda: bob.title.startswith("Sydney") and chips() == ["All*", "Photos"]).all(".filters a")[1].click()
bob.until(lambda: chips() == ["All", "Photos*"]).has("2 results").press("All").has("2 results")
bob.go("/library?q=tokyo+videos").until(lambda: chips() == ["All", "Videos*"]).press("All").until(
    lambda: bob.title == "tokyo" and chips() == ["All*", "Photos"])
# In an empty box, the last search, the places and the cameras are suggested.
suggested = lambda: [each.text.split("\n")[0] for each in bob.all("#suggestions a") if each.is_displayed()]
bob.fill("q", "harbour")
keys(Keys.ENTER)
bob.until(lambda: bob.title == "harbour").go("/library").driver.find_element("name", "q").click()
bob.until(lambda: suggested()[:1] == ["harbour Recent"] and
          [each.split(" ")[0] for each in suggested()[-2:]] == ["Sydney", "Tokyo"], "no suggestions")
bob.check("suggestions-empty")
keys(Keys.ARROW_DOWN, Keys.ENTER)
bob.until(lambda: bob.title == "harbour").go("/library/places")
# The map ends where the cards below it end, leaves space for them, and shows all places beside the buttons that it contains.
box = lambda selector: bob.script(f"return document.querySelector('{selector}').getBoundingClientRect().toJSON()")
for width in (390, 768, 1280, 1920):
    bob.driver.set_window_size(width, 900)
    bob.until(lambda: abs(box(".map-frame")["right"] - box(".albums")["right"]) < 1, f"the map is not as wide at {width}")
    frame, tools, picture = box(".map-frame"), box("#map-tools"), box("#places-map")
    assert abs(picture["right"] - frame["right"]) < 1 and frame["height"] < 560, (picture, frame)
    assert picture["top"] <= tools["top"] and tools["bottom"] <= picture["bottom"] and tools["right"] <= picture["right"], tools
    for dot in bob.script("return Array.from(document.querySelectorAll('#places-map circle'), each => each.getBoundingClientRect().toJSON())"):
        assert picture["left"] <= dot["left"] and dot["right"] <= tools["left"], (width, dot, picture)
        assert picture["top"] <= dot["top"] and dot["bottom"] <= picture["bottom"], (width, dot, picture)
    assert named() == ["Sydney", "Tokyo"], (width, named())
    # The map is zoomed to the place with the most photos.
    last = view()
    bob.named("Zoom in").click()
    bob.until(lambda: abs(view()[2] - last[2] / 2) < 0.01, f"the map is not zoomed at {width}")
    kept = bob.script("const { x, width } = document.querySelector('#places-map').viewBox.baseVal;"
                      "return (document.querySelector('#places-map circle').cx.baseVal.value - x) / width")
    first = bob.script("return document.querySelector('#places-map circle').cx.baseVal.value")
    assert abs(kept - (first - last[0]) / last[2]) < 0.01, (width, kept, last)
    bob.named("Show all places").click()
    bob.until(lambda: view() == last, "not all places are shown")
bob.driver.set_window_size(1280, 900)
# On phones, the bar has five sections, and a menu for the others, which is marked for theirs.
bob.driver.set_window_size(390, 900)
bar = lambda: [each for each in bob.all(".rail li > :is(a, button)") if each.is_displayed()]
marked = lambda: [each.text for each in bar() if each.get_attribute("aria-current")]
bob.go("/library/albums")
assert [each.text for each in bar()] == ["Photos", "Albums", "Places", "Favorites", "More"], bar()
bob.press("Places").is_at("/library/places")
assert marked() == ["Places"] and bob.script("return document.documentElement.scrollWidth <= innerWidth"), marked()
bob.named("More").click()
bob.press("Archive").is_at("/library/archive")
assert marked() == ["More"], marked()
bob.named("More").click()
assert [each.text for each in bar()][-2:] == ["Archive", "Trash"] and marked() == ["More", "Archive"], marked()
# The filters of a search are one row.
bob.go("/library?q=jpg")
assert len({each.rect["y"] for each in bob.all(".filters a")}) == 1, bob.text
bob.driver.set_window_size(1280, 900)

# While a name is typed, pages are suggested, with what was typed as text. The keys choose one, or what was typed.
bob.go("/library/albums").press("New album").fill("name", "Sydney <b>trip</b>").press("Create")
options = lambda: [option.text.replace("\n", " ") for option in bob.all("#suggestions a") if option.is_displayed()]
field = lambda: bob.driver.find_element("name", "q")
chosen = lambda: field().get_attribute("aria-activedescendant")
trip, city = "Sydney <b>trip</b> Album 0", "Sydney New South Wales, Australia 2"
bob.go("/library").fill("q", "syd").until(lambda: options() == [trip, city], "no suggestions")
assert not bob.all("#suggestions b") and field().get_attribute("aria-expanded") == "true"
assert bob.all(".search [role=status]")[0].get_attribute("textContent") == "2 suggestions are shown"
bob.check("suggestions")
for key, expected in [(Keys.ARROW_DOWN, 0), (Keys.ARROW_DOWN, 1), (Keys.ARROW_DOWN, None), (Keys.ARROW_UP, 1),
                      (Keys.HOME, 0), (Keys.END, 1)]:
    keys(key)
    assert chosen() == (None if expected is None else f"suggestion-{expected}"), (key, chosen())
    marked = [option.get_attribute("aria-selected") for option in bob.all("#suggestions a")]
    assert marked == [str(number == expected).lower() for number in range(2)], marked
bob.check("suggestions-chosen", schemes=("light", "dark"))
keys(Keys.ESCAPE)
assert options() == [] and field().get_attribute("value") == "syd" and not chosen()
keys(Keys.ARROW_DOWN)
assert options() == [trip, city] and not chosen()
keys(Keys.ENTER)
bob.until(lambda: bob.title == "syd").fill("q", "australia sydn").until(lambda: options() == [city])
assert bob.all(".search [role=status]")[0].get_attribute("textContent") == "1 suggestion is shown"
keys(Keys.ARROW_DOWN, Keys.ENTER)
bob.arrives("/library?place=").until(lambda: bob.title == "Sydney, New South Wales, Australia")
# What a page is, such as an album, is found by its whole name only.
bob.fill("q", "albu").until(lambda: options() == ["Albums"]).fill("q", "album:").until(
    lambda: options() == ["Albums", trip], "no albums")
bob.fill("q", "sydnex").until(lambda: options() == [] and field().get_attribute("aria-expanded") == "false")
# The names are those of the language. Nothing is suggested for a page that the person leaves, or without an answer.
bob.go("/library").menu("Deutsch").fill("q", "tok").until(lambda: options() == ["Tokio Japan 1"])
keys(Keys.TAB)
assert options() == []
bob.go("/library").fill("q", "favo").until(lambda: options() == ["Favoriten"]).all("#suggestions a")[0].click()
bob.arrives("/library/favorites").named("Konto und Einstellungen").click()
bob.press("English").blocks(SERVER + "/library/suggestions").fill("q", "tok")
assert options() == []
bob.blocks()
# A finger chooses, too.
bob.driver.set_window_size(390, 900)
bob.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
bob.go("/library").fill("q", "may").until(lambda: options() == ["May 2024"])
x, y = bob.script("const box = document.querySelector('#suggestions a').getBoundingClientRect();"
                  "return [box.x + box.width / 2, box.y + box.height / 2]")
for kind, points in [("touchStart", [{"x": x, "y": y}]), ("touchEnd", [])]:
    bob.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
bob.arrives("/library?q=May").until(lambda: bob.title == "May 2024").has("5 results")
bob.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
bob.driver.set_window_size(1280, 900)
# A search that finds nothing leads to the pages that it names.
bob.go("/library?q=sydney+videos").has("No photos found").check("search-empty-links")
bob.press("Sydney, New South Wales, Australia").has("2 results")

# Visitors of a shared link read no place.
bob.go("/library?q=tokyo").all(".grid a")[0].click()
bob.arrives("/library/photo").press("Share").press("Create link")
link = bob.driver.find_element("id", "address").get_attribute("value")
ann = Browser()
ann.go(link).all(".grid a")[0].click()
ann.until(lambda: ann.all("#slideshow"))
ActionChains(ann.driver).send_keys("i").perform()
ann.until(lambda: "Dimensions" in ann.text).has_not("Japan", "35.68")
assert "Tokyo" not in ann.driver.page_source
ann.close()

# Without scripts, search, information and the menu of the bar are the same.
bob.driver.set_window_size(390, 900)
bob.script_is_off(True).go("/library/places").named("More").click()
bob.press("Trash").is_at("/library/trash").driver.set_window_size(1280, 900)
bob.go("/library?q=Japan").all(".grid a")[0].click()
bob.arrives("/library/photo").named("Information").click()
bob.has("Tokyo, Japan", "35.68950, 139.69170").go("/library/places").all("#places-map a")[1].click()
bob.until(lambda: bob.title == "Tokyo, Japan")
bob.close()
print("DONE")
