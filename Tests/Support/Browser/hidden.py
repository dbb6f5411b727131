"""Bob archives photos, which hides them from Photos only, in the browser and in the command line."""
import json, os
from pictures import png
from portal import SERVER, Browser, photolala
from selenium.webdriver.common.action_chains import ActionChains

os.chdir(os.environ["HOME"])
MAY = 1715767200

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").is_at("/library")
for number, name in enumerate(["lake", "beach", "snow", "city"]):
    png(f"camera/{name}.png", (number * 60, 99, 200), 640, 480, date=MAY - number * 40 * 86400)
photolala("signin", "--server", SERVER, "--provider", "apple", "--dev-user", "bob")
photolala("backup", "camera")
names = lambda: [alt.split(".")[0] for alt in bob.pictures()]
months = lambda: [month.get_attribute("textContent") for month in bob.all("#timeline h2")]
# The name of the button is also that of a page.
archive = lambda: bob.all(".bar button[name=archived]")[0].click()
keys = lambda text: ActionChains(bob.driver).send_keys(text).perform()


def hidden():
    return [photo["path"] for photo in json.loads(photolala("list", "--hidden", "--json"))["photos"]]


# Archived photos leave Photos, with their months; the change can be undone.
bob.go("/library").press("Archive").is_at("/library/archive").has("Nothing archived yet", "stay in albums")
bob.check("archive-empty").go("/library")
bob.until(lambda: names() == ["lake", "beach", "snow", "city"] and len(months()) == 4, "other photos are shown")
bob.choose(1).choose(2)
archive()
bob.is_at("/library").has_soon("2 items archived")
bob.until(lambda: names() == ["lake", "city"] and len(months()) == 2, "other photos are shown")
jumps = bob.script("""return Array.from(document.querySelectorAll(".jumps a"), jump =>
    `${jump.textContent} ${jump.closest("ul").previousElementSibling.textContent}`)""")
assert jumps == months() and not bob.all(".months")[0].is_displayed(), jumps
bob.press("Undo").has_soon("2 items unarchived")
bob.until(lambda: names() == ["lake", "beach", "snow", "city"], "other photos are shown")
bob.choose(1).choose(2)
archive()
bob.has_soon("2 items archived").press("Archive").is_at("/library/archive")
bob.until(lambda: names() == ["beach", "snow"], "other photos are shown")
assert hidden() == ["beach.png", "snow.png"], hidden()
bob.has("Archived photos are hidden from Photos.").choose(0).check("archive")

# They stay in searches, favorites and albums, with a sign, and the command line lists them.
signs = lambda: [sign.get_attribute("textContent") for sign in bob.all(".grid .archived")]
assert signs() == [], signs()
photolala("favorite", "add", "beach.png")
bob.go("/library?q=beach")
bob.until(lambda: names() == ["beach"] and signs() == ["Archived"], "other photos are shown")
[favorite, archived] = [bob.all(f".grid .{mark}")[0].rect for mark in ("favorite", "archived")]
assert favorite["x"] + favorite["width"] <= archived["x"] and favorite["y"] == archived["y"], (favorite, archived)
bob.check("search-archived")
photolala("album", "create", "Sea")
photolala("album", "add", "Sea", "beach.png", "lake.png")
bob.go("/library/favorites")
bob.until(lambda: names() == ["beach"], "other photos are shown")
bob.press("Albums").press("Sea\n2 items")
bob.until(lambda: names() == ["lake", "beach"], "other photos are shown")
assert len(json.loads(photolala("list", "--json"))["photos"]) == 4

# Another upload finds an archived photo in the library, and it stays archived.
bob.go("/library").bring(["camera/snow.png"]).has_soon("Already in your photos")
assert hidden() == ["beach.png", "snow.png"], hidden()
bob.go("/library")
bob.until(lambda: names() == ["lake", "city"], "other photos are shown")

# The command line and the pages change the same list.
photolala("hidden", "remove", "snow.png")
photolala("hidden", "add", "city.png")
bob.go("/library")
bob.until(lambda: names() == ["lake", "snow"], "other photos are shown")
bob.go("/library/archive").choose(0)
archive()
bob.is_at("/library/archive").has_soon("1 item unarchived")
bob.until(lambda: names() == ["city"] and hidden() == ["city.png"], "other photos are shown")
bob.press("Undo").has_soon("1 item archived")
bob.until(lambda: names() == ["beach", "city"], "other photos are shown")

# In the viewer, an archived photo leaves with its page; beside it are no archived ones.
bob.go("/library").all(".grid a")[0].click()
bob.until(lambda: bob.photo.startswith("lake"))
bob.named("Information").click()
bob.until(lambda: bob.all("#archive-toggle")[0].is_displayed()).check("photo-archive")
bob.all("#archive-toggle")[0].click()
bob.until(lambda: bob.photo.startswith("snow")).has_soon("1 item archived")
assert not bob.all("a[rel=prev], a[rel=next]")
assert hidden() == ["beach.png", "city.png", "lake.png"], hidden()
bob.named("Undo").click()
bob.until(lambda: bob.photo.startswith("lake"))
assert hidden() == ["beach.png", "city.png"], hidden()

# In a search, the photo stays on the screen, and the key toggles it.
bob.go("/library?q=beach").all(".grid a")[0].click()
bob.until(lambda: bob.photo.startswith("beach") and bob.all("#archive-toggle[value='0']"))
keys("a")
bob.until(lambda: bob.all("#archive-toggle[value='1']")).has_soon("1 item unarchived")
assert bob.photo.startswith("beach") and hidden() == ["city.png"], hidden()
keys("a")
bob.until(lambda: bob.all("#archive-toggle[value='0']")).has_soon("1 item archived")
bob.named("Undo").click()
bob.until(lambda: bob.all("#archive-toggle[value='1']"))
assert hidden() == ["city.png"], hidden()

# Without scripts, too.
bob.script_is_off(True).go("/library/archive").all(".grid a")[0].click()
bob.arrives("/library/photo").named("Information").click()
bob.all("#archive-toggle")[0].click()
bob.arrives("/library/archive").has_soon("1 item unarchived").has("Nothing archived yet")
bob.go("/library").all(".grid input")[0].click()
archive()
bob.is_at("/library").has_soon("1 item archived")
assert hidden() == ["lake.png"], hidden()
bob.script_is_off(False).close()
print("DONE")
