package photolala.client

import java.net.URI
import java.security.MessageDigest
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec

/** Returns the value of `Authorization` for S3 (AWS Signature Version 4). Signs the host and all given headers. */
internal fun authorization(
    method: String, url: URI, headers: List<Pair<String, String>>, credentials: StorageCredentials,
): String {
    val all = (headers + ("host" to url.rawAuthority)).toMap().toSortedMap()
    val time = all.getValue("x-amz-date")
    val scope = "${time.take(8)}/${credentials.region}/s3/aws4_request"
    val names = all.keys.joinToString(";")
    val lines = all.map { (name, value) -> "$name:${value.trim().replace(Regex(" +"), " ")}" }
    val canonical = (listOf(method, url.rawPath, "") + lines + listOf("", names, all.getValue("x-amz-content-sha256")))
        .joinToString("\n")
    val text = "AWS4-HMAC-SHA256\n$time\n$scope\n${sha256(canonical.encodeToByteArray())}"
    val key = scope.split("/").fold("AWS4${credentials.secretAccessKey}".encodeToByteArray(), ::hmac)
    val signature = hex(hmac(key, text))
    return "AWS4-HMAC-SHA256 Credential=${credentials.accessKeyID}/$scope, SignedHeaders=$names, Signature=$signature"
}

/** Encodes a path as S3 requires: all but unreserved characters and slashes. */
internal fun encodedPath(path: String): String = try {
    path.encodeToByteArray(throwOnInvalidSequence = true).joinToString("") {
        val character = it.toInt().toChar()
        val isUnreserved = it >= 0 && (character.isLetterOrDigit() || character in "-._~/")
        if (isUnreserved) character.toString() else "%%%02X".format(it)
    }
} catch (_: CharacterCodingException) {
    throw InvalidArgumentException("A key must be well-formed Unicode.")
}

/** Returns the SHA-256 of bytes in lower-case hex. */
internal fun sha256(bytes: ByteArray): String = hex(MessageDigest.getInstance("SHA-256").digest(bytes))

private fun hmac(key: ByteArray, text: String): ByteArray = Mac.getInstance("HmacSHA256").run {
    init(SecretKeySpec(key, algorithm))
    doFinal(text.encodeToByteArray())
}

private fun hex(bytes: ByteArray): String = bytes.joinToString("") { "%02x".format(it) }
