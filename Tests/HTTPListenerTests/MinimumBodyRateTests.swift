import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Testing

@testable import HTTPListener

/// Bodies that arrive too slowly.
struct MinimumBodyRateTests {
    private func connection(_ pace: MinimumBodyRate) throws -> Connection {
        try Connection(
            ConnectionLimits(headerBytes: 1000, headerFields: 10, idleTime: .seconds(60), minimumBodyRate: pace)
        )
    }

    private let pace = MinimumBodyRate(bytes: 100, interval: .seconds(30))

    @Test("a slow body fails once with an error to its reader, and its response is the last")
    func trickle() throws {
        let connection = try connection(pace)
        connection.receive(.head(.put))
        for _ in 0..<29 {
            connection.advance(1)
            connection.receive(bytes: 1)
        }
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1 && connection.errors.first is BodyTooSlow)
        connection.respond(.requestTimeout)
        #expect(try connection.answers.map { $0.headerFields[.connection] } == ["close"])
        connection.advance(10)
        #expect(connection.isClosed)
    }

    @Test("a body at the minimum rate may take any time, and a slower one fails")
    func steady() throws {
        let connection = try connection(pace)
        connection.receive(.head(.put))
        for _ in 0..<1000 {
            connection.advance(29)
            connection.receive(bytes: 101)
        }
        #expect(connection.errors.isEmpty)
        connection.advance(60)
        #expect(connection.errors.count == 1)
    }

    @Test("time in which the server does not read is not counted")
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

    @Test("with a whole-body pace the body must arrive within the interval")
    func whole() throws {
        let connection = try connection(.entireBody(within: .seconds(30)))
        connection.receive(.head(.put))
        connection.receive(bytes: 1 << 20)
        connection.advance(29)
        connection.receive(bytes: 1 << 20)
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1)
    }

    @Test("the time of a client that waits for 100 Continue starts when it is sent")
    func waitsForContinue() throws {
        let connection = try connection(pace)
        connection.receive(.head(.put, [.expect: "100-continue"]))
        connection.advance(3600)
        #expect(connection.errors.isEmpty)
        connection.channel.pipeline.write(HTTPResponsePart.head(HTTPResponse(status: .continue)), promise: nil)
        connection.advance(29)
        #expect(connection.errors.isEmpty)
        connection.advance(1)
        #expect(connection.errors.count == 1)
    }

    @Test("no time is counted between requests")
    func between() throws {
        let connection = try connection(pace)
        connection.receive(.head(.put))
        connection.receive(.end(nil))
        connection.respond(.ok)
        connection.advance(3600)
        #expect(connection.errors.isEmpty && !connection.isClosed)
    }
}
