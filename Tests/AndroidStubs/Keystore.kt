package android.security.keystore

import java.security.ProviderException
import java.security.spec.AlgorithmParameterSpec
import java.security.spec.KeySpec

/** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec */
class KeyGenParameterSpec private constructor(private val builder: Builder) : AlgorithmParameterSpec {
    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getKeystoreAlias() */
    fun getKeystoreAlias(): String = builder.alias

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getPurposes() */
    fun getPurposes(): Int = builder.purposes

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getAlgorithmParameterSpec() */
    fun getAlgorithmParameterSpec(): AlgorithmParameterSpec? = builder.parameters

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getKeySize() */
    fun getKeySize(): Int = builder.size

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getDigests() */
    fun getDigests(): Array<out String> = builder.digests

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getBlockModes() */
    fun getBlockModes(): Array<out String> = builder.blockModes

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#getEncryptionPaddings() */
    fun getEncryptionPaddings(): Array<out String> = builder.paddings

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec#isStrongBoxBacked() */
    fun isStrongBoxBacked(): Boolean = builder.isInStrongBox

    /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder */
    class Builder(keystoreAlias: String, internal val purposes: Int) {
        internal val alias = keystoreAlias
        internal var parameters: AlgorithmParameterSpec? = null
        internal var size = -1
        internal var digests: Array<out String> = emptyArray()
        internal var blockModes: Array<out String> = emptyArray()
        internal var paddings: Array<out String> = emptyArray()
        internal var isInStrongBox = false

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#setAlgorithmParameterSpec(java.security.spec.AlgorithmParameterSpec) */
        fun setAlgorithmParameterSpec(spec: AlgorithmParameterSpec): Builder = apply { parameters = spec }

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#setKeySize(int) */
        fun setKeySize(keySize: Int): Builder = apply { size = keySize }

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#setDigests(java.lang.String[]) */
        fun setDigests(vararg digests: String): Builder = apply { this.digests = digests }

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#setBlockModes(java.lang.String[]) */
        fun setBlockModes(vararg blockModes: String): Builder = apply { this.blockModes = blockModes }

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#setEncryptionPaddings(java.lang.String[]) */
        fun setEncryptionPaddings(vararg paddings: String): Builder = apply { this.paddings = paddings }

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#setIsStrongBoxBacked(boolean) */
        fun setIsStrongBoxBacked(isStrongBoxBacked: Boolean): Builder = apply { isInStrongBox = isStrongBoxBacked }

        /** https://developer.android.com/reference/android/security/keystore/KeyGenParameterSpec.Builder#build() */
        fun build(): KeyGenParameterSpec = KeyGenParameterSpec(this)
    }
}

/** https://developer.android.com/reference/android/security/keystore/KeyInfo */
class KeyInfo internal constructor(
    /** https://developer.android.com/reference/android/security/keystore/KeyInfo#isInsideSecureHardware() */
    @get:Deprecated("In Android 12") val isInsideSecureHardware: Boolean,
) : KeySpec

/** https://developer.android.com/reference/android/security/keystore/StrongBoxUnavailableException */
class StrongBoxUnavailableException : ProviderException()

/** https://developer.android.com/reference/android/security/keystore/KeyProperties */
object KeyProperties {
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#PURPOSE_ENCRYPT */
    const val PURPOSE_ENCRYPT: Int = 1
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#PURPOSE_DECRYPT */
    const val PURPOSE_DECRYPT: Int = 2
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#PURPOSE_SIGN */
    const val PURPOSE_SIGN: Int = 4
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#KEY_ALGORITHM_AES */
    const val KEY_ALGORITHM_AES: String = "AES"
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#KEY_ALGORITHM_EC */
    const val KEY_ALGORITHM_EC: String = "EC"
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#DIGEST_SHA256 */
    const val DIGEST_SHA256: String = "SHA-256"
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#BLOCK_MODE_GCM */
    const val BLOCK_MODE_GCM: String = "GCM"
    /** https://developer.android.com/reference/android/security/keystore/KeyProperties#ENCRYPTION_PADDING_NONE */
    const val ENCRYPTION_PADDING_NONE: String = "NoPadding"
}
