package photolala.client.android

import android.content.Context
import android.os.Build
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyInfo
import android.security.keystore.KeyProperties
import java.io.File
import java.security.KeyFactory
import java.security.KeyPair
import java.security.KeyPairGenerator
import java.security.KeyStore
import java.security.PrivateKey
import java.security.ProviderException
import java.security.spec.ECGenParameterSpec
import javax.crypto.KeyGenerator
import javax.crypto.SecretKey
import photolala.client.DeviceKey
import photolala.client.KeyStoreSessionStore
import photolala.client.SessionKeys
import photolala.client.SessionStore

/**
 * Keeps a session in the app's folder that is not backed up, sealed with a key of the Android Keystore. Sessions are bound to
 * another one, in StrongBox if the device has it. Neither key can be exported. Sessions of several servers need several
 * names.
 */
class AndroidSessionStore(context: Context, name: String = "photolala") :
    SessionStore by KeyStoreSessionStore(File(context.noBackupFilesDir, name), AndroidKeys(name))

private class AndroidKeys(private val name: String) : SessionKeys {
    override fun signingKey(alias: String): DeviceKey? = opened().run {
        val key = getKey(qualified(alias), null) as? PrivateKey ?: return null
        deviceKey(KeyPair(getCertificate(qualified(alias)).publicKey, key))
    }

    override fun createSigningKey(alias: String): DeviceKey {
        if (Build.VERSION.SDK_INT >= Build.VERSION_CODES.P) try {
            return deviceKey(newPair(signing(alias).setIsStrongBoxBacked(true)))
        } catch (_: ProviderException) {
            // StrongBoxUnavailableException: the device has none, or it is busy.
        }
        return deviceKey(newPair(signing(alias)))
    }

    override fun sealingKey(alias: String): SecretKey? = opened().getKey(qualified(alias), null) as? SecretKey

    override fun createSealingKey(alias: String): SecretKey =
        KeyGenerator.getInstance(KeyProperties.KEY_ALGORITHM_AES, PROVIDER).run {
            init(
                KeyGenParameterSpec.Builder(
                    qualified(alias), KeyProperties.PURPOSE_ENCRYPT or KeyProperties.PURPOSE_DECRYPT,
                ).setKeySize(256)
                    .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                    .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                    .build(),
            )
            generateKey()
        }

    override fun delete(alias: String) = opened().run {
        if (containsAlias(qualified(alias))) deleteEntry(qualified(alias))
    }

    private fun signing(alias: String) = KeyGenParameterSpec.Builder(qualified(alias), KeyProperties.PURPOSE_SIGN)
        .setAlgorithmParameterSpec(ECGenParameterSpec("secp256r1"))
        .setDigests(KeyProperties.DIGEST_SHA256)

    private fun newPair(parameters: KeyGenParameterSpec.Builder): KeyPair =
        KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, PROVIDER).run {
            initialize(parameters.build())
            generateKeyPair()
        }

    private fun deviceKey(pair: KeyPair): DeviceKey {
        val info = KeyFactory.getInstance(pair.private.algorithm, PROVIDER).getKeySpec(pair.private, KeyInfo::class.java)
        @Suppress("DEPRECATION") // Its replacement needs Android 12.
        return DeviceKey(pair, info.isInsideSecureHardware)
    }

    private fun opened(): KeyStore = KeyStore.getInstance(PROVIDER).apply { load(null) }

    /** Other code of the app may have keys, too. */
    private fun qualified(alias: String) = "$name.$alias"

    private companion object {
        const val PROVIDER = "AndroidKeyStore"
    }
}
