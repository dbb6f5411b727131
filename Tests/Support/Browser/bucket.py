"""Photos in the bucket of a real store with the CORS rules of `deploy/aws`."""
import hashlib, json, os, pathlib
import boto3
from pictures import exif, jpeg, long, png, with_exif
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
bob.bring(files).has_soon("2 photos uploaded.").until(lambda: bob.all("#timeline img"))
assert len(bob.pictures()) == 2, bob.text
stored = {each["Key"].split("/")[-1]: each["ETag"].strip('"') for each in s3.list_objects_v2(
    Bucket=os.environ["BUCKET"], Prefix="photos/")["Contents"]}
assert all(name == f"{tag}.dat" for name, tag in stored.items()) and len(stored) == 2, stored
bob.choose(0).press("Move to trash").has_soon("1 item moved to trash").press("Trash").choose(0).press("Restore").go("/library")
assert len(bob.pictures()) == 2
bob.all("#timeline a")[0].click()
bob.arrives("/library/photo")
assert bob.script("return document.querySelector('.large').naturalWidth") in (640, 1200)
# The rules also allow reading parts of a photo.
ActionChains(bob.driver).send_keys("i").perform()
bob.has_soon("Canon EOS R5")
# A long photo is sent in parts, which resume after the store was out of reach. A cancelled one leaves no parts.
film = long(FOLDER / "film.png", 1)
bob.go("/library").blocks("*partNumber=3&*").bring([film])
sent = "return Object.values(JSON.parse(localStorage.getItem('uploads') ?? '{}')).map(({ tags }) => Object.keys(tags))"
bob.until(lambda: bob.script(sent) == [["1", "2"]], "two parts are not sent")
bob.named("Pause").click()
bob.blocks().named("Resume").click()
bob.has_soon("1 photo uploaded.")
numbers = """return performance.getEntriesByType('resource').map(({ name }) => /partNumber=(\\d+)/.exec(name)?.[1])
    .filter(number => number)"""
parts = bob.script(numbers)
assert parts.count("1") == parts.count("2") == 1 and sorted(set(parts)) == ["1", "2", "3", "4", "5"], parts
found = s3.list_objects_v2(Bucket=os.environ["BUCKET"], Prefix="photos/")["Contents"]
key = f"/{hashlib.md5(pathlib.Path(film).read_bytes()).hexdigest()}.dat"
[stored] = [each["Key"] for each in found if each["Key"].endswith(key)]
assert s3.get_object(Bucket=os.environ["BUCKET"], Key=stored)["Body"].read() == pathlib.Path(film).read_bytes()
bob.go("/library").blocks("*partNumber=3&*").bring([long(FOLDER / "other.png", 2)])
bob.until(lambda: bob.script(sent) == [["1", "2"]], "two parts are not sent")
unfinished = lambda: s3.list_multipart_uploads(Bucket=os.environ["BUCKET"], Prefix="photos/").get("Uploads", [])
assert len(unfinished()) == 1, unfinished()
bob.named("Cancel").click()
bob.until(lambda: not unfinished(), "the parts are not removed").blocks()
bob.go("/account/devices").has("for up to 60 minutes").press("Sign out everywhere").has("for up to 60 minutes")
bob.check("question-everywhere").named("Cancel").click()
bob.until(lambda: not bob.all("#question[open]"), "the question stays")
bob.close()
print("DONE")
