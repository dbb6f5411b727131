package photolala.client

import java.math.BigInteger
import java.security.AlgorithmParameters
import java.security.GeneralSecurityException
import java.security.KeyPair
import java.security.MessageDigest
import java.security.ProviderException
import java.security.Signature
import java.security.interfaces.ECPublicKey
import java.security.spec.ECGenParameterSpec
import java.security.spec.ECParameterSpec
import java.time.Instant
import java.util.Base64
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.put
import kotlinx.serialization.json.putJsonObject

/**
 * The key of a device, to which its session is bound (RFC 9449).
 *
 * The key pair is EC P-256 with the purpose to sign SHA-256, for example of the Android Keystore, from which the private
 * key cannot be extracted.
 *
 * @property isInHardware whether the key is in hardware that never exports it; sessions of such keys may last with use
 */
class DeviceKey(private val pair: KeyPair, val isInHardware: Boolean = false) {
    internal val publicKey = pair.public as? ECPublicKey
        ?: throw InvalidArgumentException("The device key must be EC P-256.")

    init {
        val curve = AlgorithmParameters.getInstance("EC").apply { init(ECGenParameterSpec("secp256r1")) }
            .getParameterSpec(ECParameterSpec::class.java)
        if (publicKey.params.order != curve.order) throw InvalidArgumentException("The device key must be EC P-256.")
    }

    /** Returns a DPoP proof for one request. The server checks the nonce, not the time. */
    internal fun proof(
        method: String, url: String, nonce: String?, accessToken: String?, id: String, issuedAt: Instant,
    ): String = try {
        signedProof(method, url, nonce, accessToken, id, issuedAt)
    } catch (error: GeneralSecurityException) {
        throw SessionStoreException("The device key cannot sign.", error)
    } catch (error: ProviderException) {
        throw SessionStoreException("The device key cannot sign.", error)
    }

    private fun signedProof(
        method: String, url: String, nonce: String?, accessToken: String?, id: String, issuedAt: Instant,
    ): String {
        val header = buildJsonObject {
            put("typ", "dpop+jwt")
            put("alg", "ES256")
            putJsonObject("jwk") {
                put("kty", "EC")
                put("crv", "P-256")
                put("x", base64url(fixed(publicKey.w.affineX)))
                put("y", base64url(fixed(publicKey.w.affineY)))
            }
        }
        val claims = buildJsonObject {
            put("jti", id)
            put("htm", method)
            put("htu", url)
            put("iat", issuedAt.epochSecond)
            if (nonce != null) put("nonce", nonce)
            if (accessToken != null) {
                put("ath", base64url(MessageDigest.getInstance("SHA-256").digest(accessToken.encodeToByteArray())))
            }
        }
        val input = listOf<JsonObject>(header, claims).joinToString(".") { base64url(it.toString().encodeToByteArray()) }
        val signature = Signature.getInstance("SHA256withECDSA").run {
            initSign(pair.private)
            update(input.encodeToByteArray())
            sign()
        }
        return "$input.${base64url(concatenated(signature))}"
    }
}

/** Returns r and s of a signature in DER as the 64 bytes of a JWS. */
private fun concatenated(der: ByteArray): ByteArray {
    // A signature of P-256 has less than 128 bytes: each length is one byte.
    val lengthOfR = der[3].toInt()
    val r = BigInteger(der.copyOfRange(4, 4 + lengthOfR))
    val s = BigInteger(der.copyOfRange(6 + lengthOfR, der.size))
    return fixed(r) + fixed(s)
}

/** Returns a number as 32 bytes. */
private fun fixed(number: BigInteger): ByteArray {
    val bytes = number.toByteArray().takeLast(32).toByteArray()
    return ByteArray(32 - bytes.size) + bytes
}

private fun base64url(bytes: ByteArray): String = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes)
