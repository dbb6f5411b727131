package photolala.client.desktop

import java.security.KeyPair
import java.security.Signature
import java.security.cert.Certificate
import java.security.cert.CertificateFactory

/** Returns a certificate of a P-256 key, which a PKCS #12 file requires. Its other values are not used. */
internal fun selfSigned(pair: KeyPair): Certificate {
    val algorithm = der(0x30, der(0x06, bytes(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))) // ecdsa-with-SHA256
    val commonName = der(0x30, der(0x06, bytes(0x55, 0x04, 0x03)) + der(0x0c, "photolala".encodeToByteArray()))
    val name = der(0x30, der(0x31, commonName))
    val validity = der(0x30, time("20200101000000Z") + time("99991231235959Z"))
    val serial = der(0x02, bytes(1))
    val body = der(0x30, serial + algorithm + name + validity + name + pair.public.encoded)
    val signature = Signature.getInstance("SHA256withECDSA").run {
        initSign(pair.private)
        update(body)
        sign()
    }
    val certificate = der(0x30, body + algorithm + der(0x03, bytes(0) + signature))
    return CertificateFactory.getInstance("X.509").generateCertificate(certificate.inputStream())
}

/** Returns a value of ASN.1 in DER with at most 65,535 bytes. */
private fun der(tag: Int, content: ByteArray): ByteArray {
    val size = content.size
    val length = when {
        size < 128 -> bytes(size)
        size < 256 -> bytes(0x81, size)
        else -> bytes(0x82, size shr 8, size and 0xff)
    }
    return bytes(tag) + length + content
}

private fun time(text: String) = der(0x18, text.encodeToByteArray())

private fun bytes(vararg values: Int) = ByteArray(values.size) { values[it].toByte() }
