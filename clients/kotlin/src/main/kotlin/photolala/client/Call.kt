package photolala.client

import java.net.URI
import java.net.URISyntaxException
import java.net.URLEncoder
import java.util.Locale
import kotlinx.serialization.KSerializer
import kotlinx.serialization.SerializationException
import kotlinx.serialization.descriptors.SerialDescriptor
import kotlinx.serialization.descriptors.buildClassSerialDescriptor
import kotlinx.serialization.encoding.Decoder

/** A value with the `ETag` of its version. */
data class Tagged<T>(val value: T, val etag: String)

/** `SESSION`: with the access token; `PROOF`: with a DPoP proof that binds a session or proves the key. */
internal enum class Access { SESSION, PROOF, NONE }

internal class Call(
    val method: String,
    val path: String,
    val access: Access,
    query: List<Pair<String, String?>> = emptyList(),
    headers: List<Pair<String, String?>> = emptyList(),
    val body: ByteArray? = null,
) {
    val query = query.filter { it.second != null }
        .joinToString("&") { (name, value) -> "$name=${URLEncoder.encode(value, "UTF-8")}" }
    val headers = headers.mapNotNull { (name, value) -> value?.let { name to fieldValue(it) } }
}

/** The serializer of a body with several forms, which is only written. */
internal abstract class RequestSerializer<T>(name: String) : KSerializer<T> {
    override val descriptor: SerialDescriptor = buildClassSerialDescriptor("photolala.client.$name")

    override fun deserialize(decoder: Decoder): T = throw SerializationException("Only in requests.")
}

private val uuidPattern = Regex("[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}")

/** Returns a path parameter. Others than UUIDs, such as `..`, could address another resource. */
internal fun uuid(value: String): String =
    if (uuidPattern.matches(value)) value else throw InvalidArgumentException("Not a UUID.")

private val hexPattern = Regex("[0-9a-f]{32}")

/** Returns a path parameter of 32 hex digits. */
internal fun hexID(value: String): String =
    if (hexPattern.matches(value)) value else throw InvalidArgumentException("Not an ID of 32 hex digits.")

/** Returns the value of a header field. Line breaks would add fields, other bytes are read differently by proxies. */
internal fun fieldValue(value: String): String =
    if (value.all { it in ' '..'~' }) value else throw InvalidArgumentException("A header field must be printable ASCII.")

/** Returns an address without query, fragment, user and trailing slashes. HTTPS, or HTTP on loopback. */
internal fun address(text: String): String {
    val uri = try {
        URI(text)
    } catch (_: URISyntaxException) {
        throw InvalidArgumentException("Not a URL.")
    }
    val scheme = uri.scheme?.lowercase(Locale.ROOT)
    val host = uri.host?.lowercase(Locale.ROOT) ?: throw InvalidArgumentException("Not a URL.")
    val isLoopback = host == "localhost" || host == "127.0.0.1" || host == "[::1]"
    if (scheme != "https" && !(scheme == "http" && isLoopback)) {
        throw InvalidArgumentException("The address must be HTTPS, or HTTP on loopback.")
    }
    if (uri.rawUserInfo != null || uri.rawQuery != null || uri.rawFragment != null) {
        throw InvalidArgumentException("The address must have no user, query and fragment.")
    }
    val port = if (uri.port == -1 || uri.port == (if (scheme == "https") 443 else 80)) "" else ":${uri.port}"
    return "$scheme://$host$port${uri.rawPath.trimEnd('/')}"
}
