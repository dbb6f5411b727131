import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import Testing

@testable import HTTPListener

/// Answers that go out before their request has ended, and requests that end badly.
struct EarlyAnswerTests {
    private struct Broken: Error {}
    private let limits = ConnectionLimits(
        headerBytes: 1000, headerFields: 10, idleTime: .seconds(60),
        bodyPace: BodyPace(bytes: 100, interval: .seconds(30)), unwantedBytes: 1000, unwantedTime: .seconds(10)
    )

    @Test("A request that has ended keeps its connection")
    func whole() throws {
        let connection = try Connection(limits)
        connection.come(.head(.put), .body(ByteBuffer(string: "x")), .end(nil))
        connection.answer(.ok)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == [nil])
        connection.advance(3600)
        #expect(!connection.isClosed)
        #expect(connection.heard.count == 3)
    }

    @Test("An early answer is the last, and the connection ends when its time is over")
    func early() throws {
        let connection = try Connection(limits)
        connection.come(.head(.put))
        connection.answer(.forbidden)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == ["close"])
        #expect(connection.isHalfClosed && !connection.isClosed)
        // A trickle does not lengthen it.
        for _ in 0..<9 {
            connection.advance(1)
            connection.come(bytes: 1)
        }
        #expect(!connection.isClosed)
        connection.advance(1)
        #expect(connection.isClosed)
        #expect(connection.heard.count == 1)
    }

    @Test("Behind an early answer only so many bytes are read")
    func manyBytes() throws {
        let connection = try Connection(limits)
        connection.come(.head(.put))
        connection.answer(.forbidden)
        connection.come(bytes: 1000)
        #expect(!connection.isClosed)
        connection.come(bytes: 1)
        #expect(connection.isClosed)
    }

    @Test("The end of an unwanted body ends the connection at once")
    func unwantedEnd() throws {
        let connection = try Connection(limits)
        connection.come(.head(.put))
        connection.answer(.forbidden)
        connection.come(.body(ByteBuffer(string: "x")), .end(nil))
        #expect(connection.isClosed)
    }

    @Test("A request that breaks behind its answer gets no second one")
    func brokenLate() throws {
        let connection = try Connection(limits)
        connection.come(.head(.put))
        connection.answer(.forbidden)
        connection.fail(Broken())
        connection.answer(.badRequest)
        #expect(try connection.answers.map(\.status) == [.forbidden])
        #expect(connection.errors.isEmpty)
    }

    @Test("A request that breaks before its answer gets one, even if two are written")
    func brokenEarly() throws {
        let connection = try Connection(limits)
        connection.come(.head(.put))
        connection.fail(Broken())
        #expect(connection.errors.count == 1)
        connection.answer(.forbidden)
        connection.answer(.badRequest)
        #expect(try connection.answers.map(\.status) == [.forbidden])
        connection.advance(10)
        #expect(connection.isClosed)
    }

    @Test("What is no request is answered behind the requests before it")
    func brokenPipeline() throws {
        let connection = try Connection(limits)
        connection.come(.head(.get), .end(nil))
        connection.fail(Broken())
        connection.answer(.ok)
        connection.answer(.badRequest)
        connection.answer(.badRequest)
        #expect(try connection.answers.map(\.status) == [.ok, .badRequest])
        #expect(try connection.answers.map { $0.headerFields[.connection] } == [nil, "close"])
    }

    @Test("A head that is too large is told so, and requests before it keep their answers")
    func largeHead() throws {
        let connection = try Connection(limits)
        connection.come(.head(.get), .end(nil))
        connection.fail(HTTPParserError.headerOverflow)
        connection.answer(.badRequest)
        connection.answer(.badRequest)
        #expect(try connection.answers.map(\.status) == [.badRequest, .requestHeaderFieldsTooLarge])
    }

    @Test("An answer is early only to the request it answers")
    func pipelined() throws {
        let connection = try Connection(limits)
        connection.come(.head(.get), .end(nil), .head(.put))
        connection.answer(.ok)
        connection.come(.body(ByteBuffer(string: "x")), .end(nil))
        connection.answer(.created)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == [nil, nil])
        #expect(connection.heard.count == 5)
    }

    @Test(
        "Behind a request that asks to end the connection nothing is heard, nor behind one that the decoder ends at",
        arguments: [
            [.connection: "close"], [.connection: "Close"], [.connection: "keep-alive, close"],
            [.upgrade: "h2c", .connection: "Upgrade"],
        ] as [HTTPFields])
    func last(_ fields: HTTPFields) throws {
        let connection = try Connection(limits)
        connection.come(.head(.get, fields), .end(nil))
        let reads = connection.reads
        connection.come(.head(.get), .end(nil))
        #expect(connection.heard.count == 2 && connection.reads == reads)
        connection.answer(.ok)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == ["close"])
        #expect(connection.isClosed)
    }

    @Test("A client that has closed its side is answered, and then nothing is waited for")
    func halfClosed() throws {
        let connection = try Connection(limits)
        connection.come(.head(.get), .end(nil))
        connection.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        connection.answer(.ok)
        #expect(try connection.answers.map(\.status) == [.ok])
        #expect(connection.isClosed)
    }
}
