package photolala.client

import kotlinx.serialization.SerializationException
import kotlinx.serialization.json.Json
import kotlinx.serialization.json.JsonElement

/** An error of this client. */
sealed class PhotolalaException(message: String, cause: Throwable? = null) : Exception(message, cause)

/** The server answered with a problem document (RFC 9457). Handle an unknown [code] by [status]. */
class ProblemException internal constructor(
    val status: Int,
    val problem: Problem,
    /** The seconds to wait, of 429 and 503. */
    val retryAfter: Long?,
    private val document: JsonElement,
) : PhotolalaException(problem.detail) {
    val code: ErrorCode get() = problem.code

    /** The problem of a sign-in with an identity that has no account. */
    val noAccount: NoAccountProblem?
        get() = if (code != ErrorCode.NO_ACCOUNT_FOUND) null else try {
            json.decodeFromJsonElement(NoAccountProblem.serializer(), document)
        } catch (_: SerializationException) {
            null
        }
}

/** No response: no connection, or none in time. The request may have taken effect. */
class NetworkException(val isTimeout: Boolean, cause: Throwable?) :
    PhotolalaException(if (isTimeout) "No response in time." else "The server is unreachable.", cause)

/** A response that no Photolala server gives: for example the page of a proxy, or a redirect, which is not followed. */
class ResponseException(val status: Int, val reason: Reason) :
    PhotolalaException("Unexpected response with status $status: $reason.") {
    enum class Reason { MALFORMED, REDIRECT, TOO_LARGE }
}

/** The object store refused a request. [code] is that of S3, for example `NoSuchKey`; empty if the response has none. */
class StorageException(val status: Int, val code: String) :
    PhotolalaException("The object store answered $status $code".trimEnd())

/** There is no session, or another sign-in has replaced that of the call. */
class NotSignedInException : PhotolalaException("Not signed in.")

/** The session cannot be stored or read, or its key cannot be used. */
class SessionStoreException(message: String, cause: Throwable? = null) : PhotolalaException(message, cause)

/** An argument that cannot be sent. Nothing was sent. */
class InvalidArgumentException(message: String) : PhotolalaException(message)

internal val json = Json {
    ignoreUnknownKeys = true
    explicitNulls = false
}
