// A provider with the name and interfaces of the Android Keystore, whose keys are in memory.
import android.security.keystore.KeyGenParameterSpec
import android.security.keystore.KeyInfo
import android.security.keystore.StrongBoxUnavailableException
import java.io.InputStream
import java.io.OutputStream
import java.security.*
import java.security.cert.Certificate
import java.security.spec.AlgorithmParameterSpec
import java.security.spec.KeySpec
import java.util.Collections
import java.util.Date
import java.util.Enumeration
import javax.crypto.KeyGenerator
import javax.crypto.KeyGeneratorSpi
import javax.crypto.SecretKey
import photolala.client.desktop.selfSigned

object AndroidKeystore : Provider("AndroidKeyStore", "1", "A fake") {
    class Entry(val key: Key, val certificate: Certificate?, val parameters: KeyGenParameterSpec)

    private fun readResolve(): Any = AndroidKeystore

    val content: MutableMap<String, Entry> = Collections.synchronizedMap(mutableMapOf())
    var hasStrongBox = false
    var isHardware = true

    init {
        put("KeyStore.AndroidKeyStore", FakeStore::class.java.name)
        put("KeyPairGenerator.EC", FakePairs::class.java.name)
        put("KeyGenerator.AES", FakeKeys::class.java.name)
        put("KeyFactory.EC", FakeInfo::class.java.name)
    }
}

class FakePairs : KeyPairGeneratorSpi() {
    private lateinit var parameters: KeyGenParameterSpec

    override fun initialize(size: Int, random: SecureRandom?) = throw InvalidParameterException()

    override fun initialize(spec: AlgorithmParameterSpec, random: SecureRandom?) {
        parameters = spec as KeyGenParameterSpec
    }

    override fun generateKeyPair(): KeyPair {
        if (parameters.isStrongBoxBacked() && !AndroidKeystore.hasStrongBox) throw StrongBoxUnavailableException()
        val pair = KeyPairGenerator.getInstance("EC", "SunEC").run {
            initialize(parameters.getAlgorithmParameterSpec())
            generateKeyPair()
        }
        AndroidKeystore.content[parameters.getKeystoreAlias()] =
            AndroidKeystore.Entry(pair.private, selfSigned(pair), parameters)
        return pair
    }
}

class FakeKeys : KeyGeneratorSpi() {
    private lateinit var parameters: KeyGenParameterSpec

    override fun engineInit(random: SecureRandom?) = throw InvalidParameterException()

    override fun engineInit(size: Int, random: SecureRandom?) = throw InvalidParameterException()

    override fun engineInit(spec: AlgorithmParameterSpec, random: SecureRandom?) {
        parameters = spec as KeyGenParameterSpec
    }

    override fun engineGenerateKey(): SecretKey {
        val key = KeyGenerator.getInstance("AES", "SunJCE").apply { init(parameters.getKeySize()) }.generateKey()
        AndroidKeystore.content[parameters.getKeystoreAlias()] = AndroidKeystore.Entry(key, null, parameters)
        return key
    }
}

class FakeInfo : KeyFactorySpi() {
    override fun <T : KeySpec> engineGetKeySpec(key: Key, type: Class<T>): T =
        type.cast(keyInfo(AndroidKeystore.isHardware))

    override fun engineGeneratePublic(spec: KeySpec) = throw UnsupportedOperationException()

    override fun engineGeneratePrivate(spec: KeySpec) = throw UnsupportedOperationException()

    override fun engineTranslateKey(key: Key) = throw UnsupportedOperationException()

    private fun keyInfo(isHardware: Boolean) = KeyInfo(isHardware)
}

class FakeStore : KeyStoreSpi() {
    private val entries = AndroidKeystore.content

    override fun engineLoad(stream: InputStream?, password: CharArray?) {}

    override fun engineLoad(parameter: KeyStore.LoadStoreParameter?) {}

    override fun engineGetKey(alias: String, password: CharArray?): Key? = entries[alias]?.key

    override fun engineGetCertificate(alias: String): Certificate? = entries[alias]?.certificate

    override fun engineContainsAlias(alias: String) = alias in entries

    override fun engineDeleteEntry(alias: String) {
        entries.remove(alias)
    }

    override fun engineAliases(): Enumeration<String> = Collections.enumeration(entries.keys.toList())

    override fun engineSize() = entries.size

    override fun engineIsKeyEntry(alias: String) = alias in entries

    override fun engineIsCertificateEntry(alias: String) = false

    override fun engineGetCertificateChain(alias: String): Array<Certificate>? = null

    override fun engineGetCreationDate(alias: String): Date? = null

    override fun engineGetCertificateAlias(certificate: Certificate): String? = null

    override fun engineSetKeyEntry(alias: String, key: Key, password: CharArray?, chain: Array<out Certificate>?) =
        throw UnsupportedOperationException()

    override fun engineSetKeyEntry(alias: String, key: ByteArray, chain: Array<out Certificate>?) =
        throw UnsupportedOperationException()

    override fun engineSetCertificateEntry(alias: String, certificate: Certificate) = throw UnsupportedOperationException()

    override fun engineStore(stream: OutputStream?, password: CharArray?) = throw UnsupportedOperationException()
}
