import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Testing

@testable import HTTPListener

/// Bodies that come too slowly.
struct BodyPaceTests {
    private func connection(_ pace: BodyPace) throws -> Connection {
        try Connection(
            ConnectionLimits(headerBytes: 1000, headerFields: 10, idleTime: .seconds(60), bodyPace: pace)
        )
    }

    private let pace = BodyPace(bytes: 100, interval: .seconds(30))

    @Test("A body that trickles is an error to its reader, once, and what is answered is the last")
    func trickle() throws {
        let connection = try connection(pace)
        connection.come(.head(.put))
        for _ in 0..<29 {
            connection.advance(1)
            connection.come(bytes: 1)
        }
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1 && connection.errors.first is SlowBody)
        connection.answer(.requestTimeout)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == ["close"])
        connection.advance(10)
        #expect(connection.isClosed)
    }

    @Test("A body that keeps its pace may take for ever, and one that loses it may not")
    func steady() throws {
        let connection = try connection(pace)
        connection.come(.head(.put))
        for _ in 0..<1000 {
            connection.advance(29)
            connection.come(bytes: 101)
        }
        #expect(connection.errors.isEmpty)
        connection.advance(60)
        #expect(connection.errors.count == 1)
    }

    @Test("Time in which the server reads no further is not the client's")
    func heldBack() throws {
        let connection = try connection(pace)
        connection.channel.pipeline.fireChannelRead(HTTPRequestPart.head(.put))
        connection.channel.pipeline.fireChannelReadComplete()
        connection.advance(3600)
        #expect(connection.errors.isEmpty)
        connection.channel.pipeline.read()
        connection.advance(29)
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1)
    }

    @Test("A whole body must come in time, at any pace")
    func whole() throws {
        let connection = try connection(.whole(within: .seconds(30)))
        connection.come(.head(.put))
        connection.come(bytes: 1 << 20)
        connection.advance(29)
        connection.come(bytes: 1 << 20)
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1)
    }

    @Test("A client that waits for 100 Continue has its time from then on")
    func waitsForContinue() throws {
        let connection = try connection(pace)
        connection.come(.head(.put, [.expect: "100-continue"]))
        connection.advance(3600)
        #expect(connection.errors.isEmpty)
        connection.channel.pipeline.write(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
        connection.advance(29)
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1)
    }

    @Test("Between requests nothing is owed")
    func between() throws {
        let connection = try connection(pace)
        connection.come(.head(.put))
        connection.come(.end(nil))
        connection.answer(.ok)
        connection.advance(3600)
        #expect(connection.errors.isEmpty && !connection.isClosed)
    }
}
