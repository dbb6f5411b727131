package photolala.client

import java.net.URI
import java.time.Clock
import java.time.Duration
import java.time.Instant
import java.time.ZoneOffset
import java.time.ZonedDateTime
import java.time.format.DateTimeFormatter
import java.time.format.DateTimeParseException

/**
 * Reads and writes objects with the temporary credentials of [Operations.issueCredentials] (AWS Signature Version 4).
 *
 * @param timeoutMillis the deadline of a request. Raise it for large files
 * @param maximumBytes the most bytes of a response
 * @param clock the device's clock. If it is wrong, the client uses the store's time
 */
class StorageClient(
    private val credentials: StorageCredentials,
    private val transport: Transport = URLConnectionTransport(),
    private val timeoutMillis: Long = 30_000,
    private val maximumBytes: Int = 64 shl 20,
    private val clock: Clock = Clock.systemUTC(),
) {
    private val endpoint = address(credentials.endpoint)

    /** How far the store's clock is ahead. */
    @Volatile
    private var ahead = Duration.ZERO

    /**
     * Writes an object below one of the credentials' prefixes.
     * @param isPayloadUnsigned leaves the bytes out of the signature, which saves reading them twice
     */
    fun put(key: String, bytes: ByteArray, contentType: String? = null, isPayloadUnsigned: Boolean = false) {
        send("PUT", key, if (isPayloadUnsigned) "UNSIGNED-PAYLOAD" else sha256(bytes), bytes, contentType)
    }

    /** Reads an object. */
    fun get(key: String): ByteArray = send("GET", key, sha256(ByteArray(0)), null, null).body

    private fun send(
        method: String, key: String, payloadHash: String, bytes: ByteArray?, contentType: String?,
    ): HttpResponse {
        // Servers and proxies may remove these segments, which would address another object.
        if (key.isEmpty() || key.split("/").any { it == "." || it == ".." }) {
            throw InvalidArgumentException("A key must not be empty and have no segment . or ..")
        }
        val url = "$endpoint/${encodedPath("${credentials.bucket}/$key")}"
        val response = attempt(method, url, payloadHash, bytes, contentType)
        if (response.status < 300) return response
        val error = storageError(response)
        val storeTime = response.headers["date"]?.let(::date)
        if (error.code != "RequestTimeTooSkewed" || storeTime == null) throw error
        ahead = Duration.between(clock.instant(), storeTime)
        val second = attempt(method, url, payloadHash, bytes, contentType)
        if (second.status >= 300) throw storageError(second)
        return second
    }

    private fun attempt(
        method: String, url: String, payloadHash: String, bytes: ByteArray?, contentType: String?,
    ): HttpResponse {
        val format = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC)
        val time = format.format(clock.instant() + ahead)
        val headers = mutableListOf(
            "x-amz-content-sha256" to payloadHash,
            "x-amz-date" to time,
            "x-amz-security-token" to fieldValue(credentials.sessionToken),
        )
        if (contentType != null) headers += "content-type" to fieldValue(contentType)
        headers += "authorization" to authorization(method, URI(url), headers, credentials)
        return exchange(transport, HttpRequest(method, url, headers, bytes, timeoutMillis, maximumBytes))
    }
}

/** Uploads the bytes for which [Operations.reserveUpload] reserved quota headroom. */
fun uploadReserved(
    upload: ReservedUpload, bytes: ByteArray, transport: Transport = URLConnectionTransport(),
    timeoutMillis: Long = 30_000,
) {
    address(upload.url.substringBefore('?'))
    // The connection sets the length from the body.
    val headers = upload.headers.filterKeys { !it.equals("content-length", ignoreCase = true) }
        .map { (name, value) -> name to fieldValue(value) }
    val response = exchange(transport, HttpRequest("PUT", upload.url, headers, bytes, timeoutMillis, 1 shl 20))
    if (response.status >= 300) throw storageError(response)
}

private fun exchange(transport: Transport, request: HttpRequest): HttpResponse {
    val response = transport.send(request)
    if (response.status in 300..399) throw ResponseException(response.status, ResponseException.Reason.REDIRECT)
    return response
}

internal fun date(text: String): Instant? = try {
    ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant()
} catch (_: DateTimeParseException) {
    null
}

private fun storageError(response: HttpResponse): StorageException {
    val code = Regex("<Code>([A-Za-z0-9.]{1,100})</Code>").find(response.body.decodeToString())
    return StorageException(response.status, code?.groupValues?.get(1) ?: "")
}
