package photolala.client

import java.io.ByteArrayOutputStream
import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import java.util.Locale
import java.util.concurrent.Executors
import java.util.concurrent.TimeUnit
import java.util.concurrent.atomic.AtomicBoolean

/** A request whose response must arrive within [timeoutMillis] and have at most [maximumBytes]. */
class HttpRequest(
    val method: String,
    val url: String,
    val headers: List<Pair<String, String>>,
    val body: ByteArray?,
    val timeoutMillis: Long,
    val maximumBytes: Int,
)

/** A response with the names of its [headers] in lower case. */
class HttpResponse(val status: Int, val headers: Map<String, String>, val body: ByteArray)

/** Sends requests. It must not follow redirects: they would carry tokens to another server. */
interface Transport {
    /** @throws NetworkException without a response, [ResponseException] if it is too large. */
    fun send(request: HttpRequest): HttpResponse
}

/** Sends requests with [HttpURLConnection]. */
class URLConnectionTransport : Transport {
    override fun send(request: HttpRequest): HttpResponse {
        val connection = URL(request.url).openConnection() as HttpURLConnection
        val isLate = AtomicBoolean()
        // The connection's own timeouts limit each read, not the whole response.
        val watch = deadlines.schedule({
            isLate.set(true)
            connection.disconnect()
        }, request.timeoutMillis, TimeUnit.MILLISECONDS)
        try {
            connection.connectTimeout = request.timeoutMillis.toInt()
            connection.readTimeout = request.timeoutMillis.toInt()
            connection.instanceFollowRedirects = false
            connection.useCaches = false
            connection.requestMethod = request.method
            connection.setRequestProperty("Accept-Encoding", "identity")
            for ((name, value) in request.headers) connection.setRequestProperty(name, value)
            if (request.body != null) {
                connection.doOutput = true
                connection.outputStream.use { it.write(request.body) }
            }
            val status = connection.responseCode
            val headers = connection.headerFields.entries.filter { it.key != null }
                .associate { (name, values) -> name.lowercase(Locale.ROOT) to values.first() }
            return HttpResponse(status, headers, read(connection, status, request.maximumBytes))
        } catch (error: IOException) {
            throw NetworkException(isLate.get() || error is java.net.SocketTimeoutException, error)
        } finally {
            watch.cancel(false)
        }
    }

    private fun read(connection: HttpURLConnection, status: Int, maximum: Int): ByteArray {
        val stream = (if (status >= 400) connection.errorStream else connection.inputStream) ?: return ByteArray(0)
        stream.use {
            val body = ByteArrayOutputStream()
            val part = ByteArray(1 shl 16)
            while (true) {
                val count = it.read(part)
                if (count < 0) return body.toByteArray()
                if (count > maximum - body.size()) {
                    // Closing the stream alone would read the rest.
                    connection.disconnect()
                    throw ResponseException(status, ResponseException.Reason.TOO_LARGE)
                }
                body.write(part, 0, count)
            }
        }
    }

    private companion object {
        val deadlines = Executors.newSingleThreadScheduledExecutor {
            Thread(it, "photolala-deadlines").apply { isDaemon = true }
        }
    }
}
