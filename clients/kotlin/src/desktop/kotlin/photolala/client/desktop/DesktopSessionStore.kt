package photolala.client.desktop

import java.io.File
import java.io.FileOutputStream
import java.nio.file.Files
import java.nio.file.StandardCopyOption.ATOMIC_MOVE
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.KeyStore
import java.security.PrivateKey
import java.security.spec.ECGenParameterSpec
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import photolala.client.DeviceKey
import photolala.client.KeyStoreSessionStore
import photolala.client.SessionKeys
import photolala.client.SessionStore

/**
 * Keeps a session in a folder, with its keys in a PKCS #12 file. Unlike in the Android Keystore, a program that reads the
 * folder and knows the password has the keys.
 *
 * @param password from the system's keyring, for example
 */
class DesktopSessionStore(folder: File, password: CharArray) :
    SessionStore by KeyStoreSessionStore(folder, FileKeys(File(folder, "keys.p12"), password))

/** The keys of a PKCS #12 file, which is read for each use: another process may have changed it. */
private class FileKeys(private val file: File, password: CharArray) : SessionKeys {
    private val password = password.copyOf()

    override fun signingKey(alias: String): DeviceKey? = opened().run {
        (getKey(alias, password) as? PrivateKey)?.let { DeviceKey(KeyPair(getCertificate(alias).publicKey, it)) }
    }

    override fun createSigningKey(alias: String): DeviceKey {
        val pair = KeyPairGenerator.getInstance("EC").run {
            initialize(ECGenParameterSpec("secp256r1"))
            generateKeyPair()
        }
        change { setKeyEntry(alias, pair.private, password, arrayOf(selfSigned(pair))) }
        return DeviceKey(pair)
    }

    override fun sealingKey(alias: String): SecretKey? = opened().getKey(alias, password) as? SecretKey

    override fun createSealingKey(alias: String): SecretKey {
        val key = KeyGenerator.getInstance("AES").apply { init(256) }.generateKey()
        change { setEntry(alias, KeyStore.SecretKeyEntry(key), KeyStore.PasswordProtection(password)) }
        return key
    }

    override fun delete(alias: String) {
        if (opened().containsAlias(alias)) change { deleteEntry(alias) }
    }

    private fun opened(): KeyStore = KeyStore.getInstance("PKCS12").apply {
        if (file.exists()) file.inputStream().use { load(it, password) } else load(null, password)
    }

    private fun change(change: KeyStore.() -> Unit) {
        val keys = opened().apply(change)
        file.parentFile.mkdirs()
        // On POSIX systems, only the owner can read it.
        val part = Files.createTempFile(file.parentFile.toPath(), "keys", ".new")
        FileOutputStream(part.toFile()).use {
            keys.store(it, password)
            it.fd.sync()
        }
        Files.move(part, file.toPath(), ATOMIC_MOVE)
    }
}
