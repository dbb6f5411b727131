// Bob's journey with the Kotlin client at a real server (SERVER).
import java.net.HttpURLConnection
import java.net.ServerSocket
import java.net.URL
import java.security.KeyPairGenerator
import java.security.MessageDigest
import java.security.spec.ECGenParameterSpec
import java.time.Clock
import java.time.Duration
import java.util.UUID
import java.util.concurrent.Executors
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.jsonObject
import kotlinx.serialization.json.jsonPrimitive
import photolala.client.*

private val server = System.getenv("SERVER")
private val id = UUID.randomUUID().toString()
private val bobsPhone = DeviceDescription(id = id, name = "Bob's phone", platform = "android")

fun expect(condition: Boolean, text: () -> Any? = { "" }) {
    if (!condition) throw AssertionError(text())
}

fun newKey() = DeviceKey(KeyPairGenerator.getInstance("EC").run {
    initialize(ECGenParameterSpec("secp256r1"))
    generateKeyPair()
})

inline fun <reified E : Exception> rejection(call: () -> Unit): E {
    try {
        call()
    } catch (error: Exception) {
        return error as? E ?: throw AssertionError(error)
    }
    throw AssertionError("no error")
}

private fun problem(status: Int, code: String, call: () -> Unit): ProblemException {
    val error = rejection<ProblemException>(call)
    expect(error.status == status && error.code.value == code) { "${error.status} ${error.code}, not $code" }
    return error
}

private fun idToken(provider: String, nonce: String): String {
    val connection = URL("$server/dev/providers/$provider/token").openConnection() as HttpURLConnection
    connection.doOutput = true
    connection.setRequestProperty("Content-Type", "application/json")
    val body = """{"subject": "$provider-$id", "email": "$id@photolala.example", "nonce": "$nonce"}"""
    connection.outputStream.use { it.write(body.encodeToByteArray()) }
    val text = connection.inputStream.readBytes().decodeToString()
    return Json.parseToJsonElement(text).jsonObject.getValue("idToken").jsonPrimitive.content
}

class Identity(val provider: String, val challenge: String, val idToken: String)

fun Client.identity(provider: String, purpose: ChallengeRequestPurpose, deviceID: String = id): Identity {
    val challenge = createChallenge(ChallengeRequest(purpose, deviceID)).challenge
    return Identity(provider, challenge, idToken(provider, challenge))
}

private fun Client.signIn(provider: String, device: DeviceDescription = bobsPhone, deviceID: String = device.id): SignedIn {
    val identity = identity(provider, ChallengeRequestPurpose.SIGNIN, deviceID)
    return signIn(SignInRequest(identity.provider, identity.idToken, identity.challenge, device = device))
}

fun md5(bytes: ByteArray) = MessageDigest.getInstance("MD5").digest(bytes).joinToString("") { "%02x".format(it) }

fun main() {
    val device = bobsPhone
    // A device whose clock is a year late, behind an address with a slash.
    val late = Clock.offset(Clock.systemUTC(), Duration.ofDays(-365))
    val store = MemorySessionStore()
    val bob = Client("$server/", store, clock = late)
    /** Returns the store of another device with this device's session. */
    fun copied(key: DeviceKey? = store.load()!!.deviceKey, change: (Session) -> Session = { it }) =
        MemorySessionStore(store.load()!!.let { it.copy(session = change(it.session), deviceKey = key) })

    // Sign up, sign in, link.
    problem(401, "invalid_token") { bob.signIn(SignInRequest("apple", "no.id.token", device = device)) }
    val unknown = problem(404, "no_account_found") { bob.signIn("apple") }
    bob.signUp(SignUpWithPendingIdentity(fullName = "Bob Świątek", pendingIdentity = unknown.noAccount!!.pendingIdentity, device = device))
    val (user, session) = bob.signIn("apple")
    val account = user.serviceUserID
    expect(session.tokenType == TokenType.DPOP)
    expect(problem(404, "no_account_found") { bob.signIn("google") }.noAccount!!.hints == listOf(AccountHint("apple")))
    val google = bob.identity("google", ChallengeRequestPurpose.LINK)
    val links = bob.linkAccount(LinkWithIDToken(google.provider, google.idToken, google.challenge)).linkedProviders
    expect(links.map { it.provider } == listOf("apple", "google")) { links }
    problem(401, "invalid_challenge") { bob.signIn("google", device.copy(id = UUID.randomUUID().toString()), id) }

    // The account.
    expect(bob.getUser(account).displayName == "Bob Świątek")
    val profile = bob.getProfile(account)
    expect(bob.replaceProfile(account, Profile(displayName = "Bob 🦉"), ifMatch = profile.etag).value.displayName == "Bob 🦉")
    problem(412, "changed_meanwhile") { bob.replaceProfile(account, Profile(), ifMatch = "\"old\"") }
    expect(bob.getHistory(account, limit = 1).entries.isNotEmpty())
    problem(404, "not_found") { bob.getUser(UUID.randomUUID().toString()) }
    val listed = bob.listDevices().devices.first()
    expect(listed.id == id && listed.isBound && listed.isCurrent) { listed }
    val again = bob.identity("apple", ChallengeRequestPurpose.REAUTHENTICATE)
    bob.reauthenticate(ReauthenticationWithIDToken(again.provider, again.idToken, again.challenge))
    expect(bob.currentSession()!!.accessToken != session.accessToken)

    // Storage, with the late clock.
    val credentials = bob.issueCredentials()
    val storage = StorageClient(credentials, clock = late)
    val photo = Random.nextBytes(40_000)
    val photoKey = "photos/$account/${md5(photo)}.dat"
    storage.put(photoKey, photo, contentType = "image/heic")
    expect(storage.get(photoKey).contentEquals(photo))
    for (name in listOf("ünï çødé/日本 🦉.json", "a+b &=?#%41!'()*~;,:@\$.json", "empty.json")) {
        val bytes = if (name == "empty.json") ByteArray(0) else name.encodeToByteArray()
        storage.put("users/$account/$name", bytes, isPayloadUnsigned = true)
        expect(storage.get("users/$account/$name").contentEquals(bytes)) { name }
    }
    expect(rejection<StorageException> { storage.get("users/$account/none") }.code == "NoSuchKey")
    expect(rejection<StorageException> { storage.get("identities/apple/x") }.code == "AccessDenied")
    val forged = StorageClient(credentials.copy(secretAccessKey = "forged"))
    expect(rejection<StorageException> { forged.get(photoKey) }.code == "SignatureDoesNotMatch")
    val second = Random.nextBytes(500)
    val upload = bob.reserveUpload(PhotoUpload(md5(second), second.size.toLong()))
    uploadReserved(upload, second)
    rejection<StorageException> { uploadReserved(upload, second.copyOf(499)) }
    val secondKey = "photos/$account/${md5(second)}.dat"
    expect(storage.get(secondKey).contentEquals(second))
    val batch = bob.reserveUploads(UploadRequests(listOf(PhotoUpload(md5(photo), photo.size.toLong()))))
    expect(batch.uploads.single() != null)

    // The library, without a catalog in the client: a JPEG and its thumbnail are uploaded, added, listed and opened.
    val jpeg = byteArrayOf(-1, -40, -1, -32, 0, 16) + "JFIF".encodeToByteArray() + second
    val uploads = bob.reserveUploads(
        UploadRequests(
            listOf(
                PhotoUpload(md5(jpeg), jpeg.size.toLong(), contentType = "image/jpeg"),
                ThumbnailUpload(md5(jpeg), jpeg.size.toLong(), photo = md5(jpeg)),
            ),
        ),
    )
    for (reserved in uploads.uploads) uploadReserved(reserved!!, jpeg)
    val place = NewPhoto("Camera/ünï.jpg", md5(jpeg), "2026-11-21T05:03:50Z")
    val missing = NewPhoto("Camera/missing.jpg", md5(ByteArray(3)), "2026-11-21T05:03:50Z")
    expect(bob.addPhotos(NewPhotos(listOf(place, missing))).photos == listOf(PhotoAddition.ADDED, PhotoAddition.MISSING))
    val page = bob.listPhotos(limit = 1)
    expect(page.count == 1 && page.next == null && page.photos.single().path == place.path)
    val original = bob.getPhoto(page.photos.single().md5).url
    for (link in listOf(original, page.photos.single().thumbnailURL)) {
        expect(java.net.URI(link).toURL().readBytes().contentEquals(jpeg)) { link }
    }

    // Concurrent calls with an expired access token renew the session once; the bound refresh token stays the same.
    val renewals = AtomicInteger()
    val plainTransport = URLConnectionTransport()
    val counting = object : Transport {
        override fun send(request: HttpRequest): HttpResponse {
            if (request.url.endsWith("/auth/refresh")) renewals.incrementAndGet()
            return plainTransport.send(request)
        }
    }
    store.save(store.load()!!.let { it.copy(session = it.session.copy(accessToken = "expired")) })
    val restarted = Client(server, store, counting, clock = late)
    val pool = Executors.newFixedThreadPool(16)
    pool.invokeAll(List(16) { java.util.concurrent.Callable { restarted.getUser(account) } }).forEach { it.get() }
    pool.shutdown()
    expect(renewals.get() == 1) { renewals }
    expect(restarted.currentSession()!!.refreshToken == session.refreshToken)
    val thief = Client(server, copied(newKey()))
    problem(401, "invalid_dpop_proof") { thief.getUser(account) }
    expect(thief.currentSession() != null)

    // Bearer tokens: each refresh token is used once, and reuse ends the session.
    val plain = Client(server, MemorySessionStore(bindsSessions = false))
    plain.signIn("google", device.copy(id = UUID.randomUUID().toString()))
    val first = plain.currentSession()!!
    plain.refresh()
    plain.refresh()
    expect(plain.currentSession()!!.refreshToken != first.refreshToken)
    val reuse = Client(server, copied(key = null) { first })
    problem(401, "session_ended") { reuse.refresh() }
    expect(reuse.currentSession() == null)
    problem(401, "session_ended") { plain.getUser(account) }
    rejection<NotSignedInException> { plain.getUser(account) }

    // Tokens of no session, and a server that is not there.
    val wrong = Client(server, copied { it.copy(accessToken = "wrong", refreshToken = "wrong") })
    problem(401, "session_ended") { wrong.getUser(account) }
    val port = ServerSocket(0).use { it.localPort }
    val nowhere = Client("http://127.0.0.1:$port")
    expect(!rejection<NetworkException> { nowhere.createChallenge(ChallengeRequest(ChallengeRequestPurpose.SIGNIN, id)) }.isTimeout)

    // Sign out. Another client of the store learns it from the server or the store.
    val offline = Client(server, copied())
    offline.currentSession()
    restarted.signOut()
    expect(store.load() == null)
    problem(401, "session_ended") { offline.getUser(account) }
    expect(offline.currentSession() == null)
    attacks()
    sessionStores()
    println("DONE")
}
