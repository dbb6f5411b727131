// The stores of the Kotlin client, that of Android with a fake Android Keystore.
import android.content.Context
import android.os.Build
import android.security.keystore.KeyProperties
import java.io.File
import java.nio.file.Files
import java.security.Security
import java.time.Instant
import java.util.concurrent.Callable
import java.util.concurrent.Executors
import photolala.client.*
import photolala.client.android.AndroidSessionStore
import photolala.client.desktop.DesktopSessionStore

private val session =
    Session(TokenType.DPOP, "secret-access", "2026-11-21T06:03:50Z", "secret-refresh", "2026-12-21T05:03:50Z", "d")

private fun stored(id: String, key: DeviceKey?) =
    StoredSession(id, "https://photos.example", session, key, Instant.parse("2026-11-21T06:02:50Z"))

fun sessionStores() {
    Security.addProvider(AndroidKeystore)
    val folders = List(2) { Files.createTempDirectory("stores").toFile() }
    try {
        val (desktop, phone) = folders
        check(File(desktop, "bob")) { DesktopSessionStore(File(desktop, "bob"), "password".toCharArray()) }
        val context = object : Context() {
            override val noBackupFilesDir = phone
        }
        Build.VERSION.SDK_INT = 27
        check(File(phone, "photolala")) { AndroidSessionStore(context) }
        desktopKeys(File(desktop, "bob"))
        androidKeys(context)
    } finally {
        folders.forEach { it.deleteRecursively() }
    }
}

private fun check(folder: File, open: () -> SessionStore) {
    expect(open().load() == null)
    val store = open()
    val key = store.exclusively { store.newKey()!! }
    store.save(stored("1", key))

    // After a restart, it is the same session, and its key signs.
    val restarted = open().load()!!
    expect(restarted.copy(deviceKey = null) == stored("1", null)) { restarted }
    expect(proves(restarted.deviceKey!!, key))
    val texts = folder.walk().filter { it.isFile }.map { it.readBytes().toString(Charsets.ISO_8859_1) }.toList()
    expect(texts.isNotEmpty() && texts.none { "secret" in it || "photos.example" in it })
    val others = folder.walk().filter { it.isFile && it.name != "lock" }.flatMap { Files.getPosixFilePermissions(it.toPath()) }
    expect(others.toSet().map { it.name }.sorted() == listOf("OWNER_READ", "OWNER_WRITE"))

    // The key of the next session does not replace that of the stored one before the session is stored.
    val next = open().newKey()!!
    expect(proves(open().load()!!.deviceKey!!, key))
    open().save(stored("2", next))
    expect(open().load()!!.id == "2" && proves(open().load()!!.deviceKey!!, next) && !proves(next, key))
    expect(rejection<SessionStoreException> { open().save(stored("1", key)) }.message!!.contains("not of this store"))
    store.save(stored("3", null))
    expect(open().load()!!.deviceKey == null)
    store.save(stored("4", open().newKey()))

    // Threads with stores of the same folder take turns, as processes do.
    var inside = 0
    val pool = Executors.newFixedThreadPool(4)
    val turns = List(20) { Callable { open().exclusively { (++inside).also { Thread.yield() } == 1 && --inside == 0 } } }
    expect(pool.invokeAll(turns).all { it.get() })
    pool.shutdown()

    // A file of a process that ended while it wrote, and files that were changed.
    val file = File(folder, "session")
    val sealed = file.readBytes()
    File(folder, "session1.new").writeBytes(ByteArray(3))
    for (damaged in listOf(sealed.copyOf(sealed.size - 1), ByteArray(0), sealed.also { it[20] = (it[20] + 1).toByte() })) {
        file.writeBytes(damaged)
        expect(open().load() == null)
    }
    store.save(stored("5", open().newKey()))
    expect(open().load()!!.id == "5" && folder.list()!!.none { it.endsWith(".new") })
    open().clear()
    expect(open().load() == null && !file.exists())
    open().clear()
    file.mkdirs()
    rejection<SessionStoreException> { open().load() }
    file.delete()
}

/** Whether a key signs as another one. */
private fun proves(key: DeviceKey, other: DeviceKey): Boolean {
    val proofs = listOf(key, other).map { proof(it) }
    return part(proofs[0], 0) == part(proofs[1], 0)
}

private fun proof(key: DeviceKey): String {
    var found = ""
    val transport = object : Transport {
        override fun send(request: HttpRequest): HttpResponse {
            found = request.headers.first { it.first == "DPoP" }.second
            return HttpResponse(500, emptyMap(), ByteArray(0))
        }
    }
    val store = MemorySessionStore(stored("1", key).copy(renewAt = Instant.MAX))
    rejection<ResponseException> { Client("https://photos.example", store, transport).listDevices() }
    return found
}

private fun desktopKeys(folder: File) {
    val store = DesktopSessionStore(folder, "password".toCharArray())
    store.save(stored("1", store.newKey()))
    rejection<SessionStoreException> { DesktopSessionStore(folder, "other".toCharArray()).load() }
    expect(!store.load()!!.deviceKey!!.isInHardware)
    File(folder, "keys.p12").delete()
    expect(store.load() == null)
}

private fun androidKeys(context: Context) {
    val entries = AndroidKeystore.content
    expect(entries.isEmpty()) { entries.keys }
    val store = AndroidSessionStore(context)
    fun signingParameters() = entries.getValue("photolala.session-1").parameters

    // Before Android 9 there is no StrongBox; later a device may have none.
    for ((version, hasStrongBox) in listOf(27 to true, 28 to false, 28 to true)) {
        Build.VERSION.SDK_INT = version
        AndroidKeystore.hasStrongBox = hasStrongBox
        store.newKey()
        expect(signingParameters().isStrongBoxBacked() == (version == 28 && hasStrongBox)) { version }
    }
    expect(signingParameters().getPurposes() == KeyProperties.PURPOSE_SIGN)
    expect(signingParameters().getDigests().toList() == listOf("SHA-256"))
    store.save(stored("1", store.newKey()))
    val sealing = entries.getValue("photolala.sealing").parameters
    expect(sealing.getPurposes() == 3 && sealing.getKeySize() == 256 && sealing.getBlockModes().toList() == listOf("GCM"))
    expect(sealing.getEncryptionPaddings().toList() == listOf("NoPadding"))
    expect(AndroidSessionStore(context, "other").load() == null)

    // The client states that a key is in hardware, and only then.
    for (isHardware in listOf(true, false)) {
        AndroidKeystore.isHardware = isHardware
        expect(store.load()!!.deviceKey!!.isInHardware == isHardware)
        var body = ""
        val transport = object : Transport {
            override fun send(request: HttpRequest): HttpResponse {
                body = request.body!!.decodeToString()
                return HttpResponse(500, emptyMap(), ByteArray(0))
            }
        }
        val client = Client("https://photos.example", store, transport)
        val device = DeviceDescription(id = "d", name = "Bob's phone", platform = "android")
        val calls = listOf(
            { client.signIn(SignInRequest("apple", "t", device = device)) },
            { client.signUp(SignUpWithIDToken("apple", "t", device = device)) },
            { client.continueSignIn(SignUpWithPendingIdentity(pendingIdentity = "p", device = device)) },
        )
        for (call in calls) {
            rejection<ResponseException> { call() }
            expect(("\"hardwareKey\":true" in body) == isHardware) { body }
        }
        expect(store.load()!!.id == "1")
    }

    // A key that the system removed.
    entries.remove("photolala.sealing")
    expect(store.load() == null)
    store.clear()
    expect(entries.isEmpty())
}
