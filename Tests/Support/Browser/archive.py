"""Bob's photos in an archive of the store: the portal asks for one back, then for several."""
import os, pathlib
import requests
from portal import Browser

os.chdir(os.environ["HOME"])
bob = Browser()
bob.go("/sign-in").press("Sign in with Apple").press("bob")

# A photo's page offers the speeds of a deep archive, with time and cost, and no download. It needs no script.
bob.go("/library").all("#timeline a")[0].click()
bob.arrives("/library/photo").has(
    "In cold storage", "Economy: usually within 48 hours", "Standard: usually within 12 hours, costs the service about")
bob.has_not("Fast").check("photo-archived")
assert not bob.all("#download, #live, #details[data-original]")
page = bob.path
bob.script_is_off(True).go(page).press("Retrieve from cold storage").is_at("/library/photo")
bob.has("is being retrieved from cold storage", "within 12 hours of the request").has_not("Standard").script_is_off(False)
bob.go(page).has("within 48 hours of the request").check("photo-on-its-way")

# Several photos: the estimate comes before the request.
bob.go("/library")
bob.choose(0).choose(1).choose(2).has("3 selected").press("Retrieve from cold storage").is_at("/library")
bob.has("Files in cold storage: 2", "Already being retrieved: 1.", "costs the service about").check("recall")
bob.press("Retrieve from cold storage").is_at("/library")
bob.has_soon("Files requested from cold storage: 2. They are usually available within 12 hours.")

# A download leads to the page instead of an error of the store.
download = page.replace("/library/photo", os.environ["SERVER"] + "/library/download")
answer = requests.get(download, cookies=bob.cookie_values(), allow_redirects=False)
assert (answer.status_code, answer.headers["location"]) == (303, page), answer.headers

# When the photo is back, its page is as always.
pathlib.Path(os.environ["BACK"]).touch()
bob.go(page).has_not("In cold storage").named("Download")
answer = requests.get(download, cookies=bob.cookie_values())
assert answer.status_code == 200 and answer.content, answer.status_code
bob.close()
print("DONE")
