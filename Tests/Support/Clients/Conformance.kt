// The steps of `ClientConformance` with the Kotlin client at a real server (SERVER). Its sessions are in the folder STORE.
import java.io.File
import java.util.UUID
import java.util.concurrent.TimeUnit
import kotlin.random.Random
import photolala.client.*
import photolala.client.desktop.DesktopSessionStore

private val server: String = System.getenv("SERVER")
private val folder = File(System.getenv("STORE"))

private fun store() = DesktopSessionStore(folder, "password".toCharArray())

private fun device() = DeviceDescription(id = UUID.randomUUID().toString(), name = "Bob's laptop", platform = "linux")

private fun step(name: String) = println("STEP $name")

/** Replaces the access token by one that has expired. */
private fun expire() = store().run { save(load()!!.let { it.copy(session = it.session.copy(accessToken = "expired")) }) }

/** Sends requests, and counts renewals. */
private class Renewals(private val before: () -> Unit = {}) : Transport {
    var count = 0
    private val transport = URLConnectionTransport()

    override fun send(request: HttpRequest): HttpResponse {
        if (request.url.endsWith("/auth/refresh")) {
            count += 1
            before()
        }
        return transport.send(request)
    }
}

private fun Client.signIn() = device().let { device ->
    val identity = identity("apple", ChallengeRequestPurpose.SIGNIN, device.id)
    signIn(SignInRequest("apple", identity.idToken, identity.challenge, device = device))
}

/** A second process: makes a call with the store of the first one. */
private fun secondProcess(account: String) {
    val real = store()
    val announcing = object : SessionStore by real {
        override fun <T> exclusively(change: () -> T): T {
            println("WAITING")
            return real.exclusively(change)
        }
    }
    val renewals = Renewals()
    val client = Client(server, announcing, renewals)
    client.currentSession()
    println("READY")
    readln()
    client.getUser(account)
    println("${renewals.count} ${client.currentSession()!!.accessToken}")
}

private fun startSecondProcess(account: String): Process {
    val java = File(System.getProperty("java.home"), "bin/java").path
    val arguments = listOf(java, "-cp", System.getProperty("java.class.path"), "ConformanceKt", account)
    return ProcessBuilder(arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start()
}

fun main(arguments: Array<String>) {
    if (arguments.isNotEmpty()) return secondProcess(arguments[0])
    val first = Client(server, store())
    val device = device()
    val identity = first.identity("apple", ChallengeRequestPurpose.SIGNUP, device.id)
    val signedIn = first.signUp(SignUpWithIDToken("apple", identity.idToken, identity.challenge, device = device))
    val account = signedIn.user.serviceUserID
    expect(signedIn.session.tokenType == TokenType.DPOP)
    step("sign-up")

    val restarted = Client(server, store())
    expect(restarted.currentSession() == signedIn.session && restarted.getUser(account).serviceUserID == account)
    step("restart")

    expire()
    val renewals = Renewals()
    expect(Client(server, store(), renewals).getUser(account).serviceUserID == account && renewals.count == 1)
    val thief = Client(server, MemorySessionStore(store().load()!!.copy(deviceKey = newKey())))
    for (call in listOf({ thief.refresh() }, { thief.getUser(account) })) {
        expect(rejection<ProblemException> { call() }.code == ErrorCode.INVALID_DPOP_PROOF)
    }
    step("bound-renewal")

    expire()
    val second = startSecondProcess(account)
    val output = second.inputStream.bufferedReader()
    try {
        expect(output.readLine() == "READY")
        // The second process makes its call while this one renews the session, and waits for it.
        val once = Renewals {
            second.outputStream.run {
                write('\n'.code)
                flush()
            }
            expect(output.readLine() == "WAITING")
        }
        val client = Client(server, store(), once)
        client.getUser(account)
        expect(output.readLine() == "0 ${client.currentSession()!!.accessToken}" && once.count == 1)
        expect(second.waitFor(30, TimeUnit.SECONDS) && second.exitValue() == 0)
    } finally {
        second.destroyForcibly()
    }
    step("concurrent-renewal")

    val client = Client(server, store())
    val (photo, thumbnail) = listOf(50_000, 5_000).map {
        byteArrayOf(-1, -40, -1, -32, 0, 16) + "JFIF".encodeToByteArray() + Random(it).nextBytes(it)
    }
    val md5 = md5(photo)
    val uploads = client.reserveUploads(
        UploadRequests(
            listOf(
                PhotoUpload(md5, photo.size.toLong(), contentType = "image/jpeg"),
                ThumbnailUpload(md5(thumbnail), thumbnail.size.toLong(), photo = md5),
            ),
        ),
    ).uploads
    uploadReserved(uploads[0]!!, photo)
    uploadReserved(uploads[1]!!, thumbnail)
    val added = client.addPhotos(NewPhotos(listOf(NewPhoto("Camera/IMG_1.jpg", md5, "2026-11-21T05:03:50Z"))))
    expect(added.photos == listOf(PhotoAddition.ADDED))
    step("upload")
    val listed = client.listPhotos().photos.single()
    expect(listed.path == "Camera/IMG_1.jpg" && listed.md5 == md5)
    step("list")
    expect(java.net.URI(listed.thumbnailURL).toURL().readBytes().contentEquals(thumbnail))
    step("thumbnail")
    expect(java.net.URI(client.getPhoto(md5).url).toURL().readBytes().contentEquals(photo))
    step("original")

    // Another device ends the session.
    val phone = Client(server)
    phone.signIn()
    phone.removeDevice(device.id)
    expect(rejection<ProblemException> { client.getUser(account) }.code == ErrorCode.SESSION_ENDED)
    expect(store().load() == null)
    rejection<NotSignedInException> { client.getUser(account) }
    step("ended-session")

    expect(client.signIn().user.serviceUserID == account)
    expect(Client(server, store()).getUser(account).serviceUserID == account)
    client.signOut()
    expect(store().load() == null && Client(server, store()).currentSession() == null)
    expect(folder.walk().none { it.name == "session" })
    step("sign-out")
    println("DONE")
}
