"""Photos in the portal, grouped by the local time of their capture."""
import os, subprocess
from portal import SERVER, Browser


def photolala(*arguments):
    """Runs the command line on another device of Bob's."""
    subprocess.run(
        [os.environ["PHOTOLALA"], *arguments, "--profile-dir", "device", "--json"], check=True, capture_output=True,
        env={"PATH": os.environ["PATH"], "HOME": os.environ["HOME"]}, cwd=os.environ["HOME"])


bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob")
photolala("signin", "--provider", "apple", "--dev-user", "bob", "--server", SERVER)
photolala("backup", os.environ["PHOTOS"], "--no-thumbnails")
bob.go("/library").is_at("/library")
assert [each.get_attribute("textContent") for each in bob.all("#timeline h2")] == ["January 2026", "December 2025"], bob.text
names = [each.get_attribute("alt") for each in bob.all("#timeline img")]
assert names == ["tokyo.jpg, January 1, 2026", "hawaii.jpg, December 31, 2025"], names
bob.all("#timeline a")[0].click()
bob.arrives("/library/photo").named("Information").click()
bob.has("tokyo.jpg", "January 1, 2026 at 8:00", "(UTC+09:00)")
bob.close()
print("DONE")
