"""Photos in the bucket of a real store with the CORS rules of `deploy/aws`."""
import json, os, pathlib
import boto3
from pictures import exif, jpeg, png, with_exif
from portal import SERVER, Browser
from selenium.webdriver.common.action_chains import ActionChains

s3 = boto3.client(
    "s3", endpoint_url=os.environ["STORE"], region_name="us-east-1", aws_access_key_id=os.environ["KEY"],
    aws_secret_access_key=os.environ["SECRET"])
os.chdir(os.environ["HOME"])
FOLDER = pathlib.Path("pictures")
FOLDER.mkdir()
files = [png(FOLDER / "beach + 1 é.png", (250, 200, 90)), jpeg(FOLDER / "lake.jpg", (60, 90, 220), width=1200, height=300)]
for file in files:
    with_exif(file, exif(make="Canon", model="Canon EOS R5"))

bob = Browser()
bob.go("/create-account").press("Create account with Apple").press("bob").go("/library")
s3.put_bucket_cors(
    Bucket=os.environ["BUCKET"],
    CORSConfiguration=json.loads(pathlib.Path(os.environ["RULES"]).read_text().replace("{ORIGIN}", SERVER)))
bob.bring(files).has_soon("In your photos: 2 of 2.").press("Show new photos")
assert len(bob.pictures()) == 2, bob.text
stored = {each["Key"].split("/")[-1]: each["ETag"].strip('"') for each in s3.list_objects_v2(
    Bucket=os.environ["BUCKET"], Prefix="photos/")["Contents"]}
assert all(name == f"{tag}.dat" for name, tag in stored.items()) and len(stored) == 2, stored
bob.choose(0).press("Move to trash").has_soon("Moved to trash: 1").press("Trash").choose(0).press("Restore").go("/library")
assert len(bob.pictures()) == 2
bob.all("#timeline a")[0].click()
bob.arrives("/library/photo")
assert bob.script("return document.querySelector('.large').naturalWidth") in (640, 1200)
# The rules also allow reading parts of a photo.
ActionChains(bob.driver).send_keys("i").perform()
bob.has_soon("Canon EOS R5")
bob.go("/account/devices").has("for up to 60 minutes").press("Sign out everywhere").has("for up to 60 minutes")
bob.check("question-everywhere").press("Cancel")
bob.close()
print("DONE")
