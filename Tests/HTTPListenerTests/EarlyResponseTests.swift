import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import HTTPListener

/// Responses sent before their request has ended, and requests that fail.
struct EarlyResponseTests {
    private struct Broken: Error {}
    private let limits = ConnectionLimits(
        headerBytes: 1000, headerFields: 10, idleTime: .seconds(60),
        minimumBodyRate: MinimumBodyRate(bytes: 100, interval: .seconds(30)), unwantedBytes: 1000,
        unwantedTime: .seconds(10)
    )

    @Test("a complete request keeps its connection open")
    func whole() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.put), .body(ByteBuffer(string: "x")), .end(nil))
        connection.respond(.ok)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == [nil])
        connection.advance(3600)
        #expect(!connection.isClosed)
        #expect(connection.heard.count == 3)
    }

    @Test("an early response is the last, and the connection closes after the time limit")
    func early() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.put))
        connection.respond(.forbidden)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == ["close"])
        #expect(connection.isHalfClosed && !connection.isClosed)
        // More input does not extend the time.
        for _ in 0..<9 {
            connection.advance(1)
            connection.receive(bytes: 1)
        }
        #expect(!connection.isClosed)
        connection.advance(1)
        #expect(connection.isClosed)
        #expect(connection.heard.count == 1)
    }

    @Test("after an early response the connection closes at the limit of unread bytes")
    func manyBytes() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.put))
        connection.respond(.forbidden)
        connection.receive(bytes: 1000)
        #expect(!connection.isClosed)
        connection.receive(bytes: 1)
        #expect(connection.isClosed)
    }

    @Test("the end of an unread body closes the connection at once")
    func unwantedEnd() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.put))
        connection.respond(.forbidden)
        connection.receive(.body(ByteBuffer(string: "x")), .end(nil))
        #expect(connection.isClosed)
    }

    @Test("a request that fails after its response gets no second one")
    func brokenLate() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.put))
        connection.respond(.forbidden)
        connection.fail(Broken())
        connection.respond(.badRequest)
        #expect(try connection.answers.map(\.status) == [.forbidden])
        #expect(connection.errors.isEmpty)
    }

    @Test("a request that fails before its response gets one, even if two are written")
    func brokenEarly() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.put))
        connection.fail(Broken())
        #expect(connection.errors.count == 1)
        connection.respond(.forbidden)
        connection.respond(.badRequest)
        #expect(try connection.answers.map(\.status) == [.forbidden])
        connection.advance(10)
        #expect(connection.isClosed)
    }

    @Test("an invalid request is answered after the requests before it")
    func brokenPipeline() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.get), .end(nil))
        connection.fail(Broken())
        connection.respond(.ok)
        connection.respond(.badRequest)
        connection.respond(.badRequest)
        #expect(try connection.answers.map(\.status) == [.ok, .badRequest])
        #expect(try connection.answers.map { $0.headerFields[.connection] } == [nil, "close"])
    }

    @Test("a too large header returns 431, and earlier requests keep their responses")
    func largeHead() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.get), .end(nil))
        connection.fail(HTTPParserError.headerOverflow)
        connection.respond(.badRequest)
        connection.respond(.badRequest)
        #expect(try connection.answers.map(\.status) == [.badRequest, .requestHeaderFieldsTooLarge])
    }

    @Test("a response is early only if its own request is incomplete")
    func pipelined() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.get), .end(nil), .head(.put))
        connection.respond(.ok)
        connection.receive(.body(ByteBuffer(string: "x")), .end(nil))
        connection.respond(.created)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == [nil, nil])
        #expect(connection.heard.count == 5)
    }

    @Test(
        "after a request that ends the connection no further request is read",
        arguments: [
            [.connection: "close"], [.connection: "Close"], [.connection: "keep-alive, close"],
            [.upgrade: "h2c", .connection: "Upgrade"],
        ] as [HTTPFields])
    func last(_ fields: HTTPFields) throws {
        let connection = try Connection(limits)
        connection.receive(.head(.get, fields), .end(nil))
        let reads = connection.reads
        connection.receive(.head(.get), .end(nil))
        #expect(connection.heard.count == 2 && connection.reads == reads)
        connection.respond(.ok)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == ["close"])
        #expect(connection.isClosed)
    }

    @Test("a client that closed its side gets its response, and the connection closes")
    func halfClosed() throws {
        let connection = try Connection(limits)
        connection.receive(.head(.get), .end(nil))
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        connection.respond(.ok)
        #expect(try connection.answers.map(\.status) == [.ok])
        #expect(connection.isClosed)
    }
}
