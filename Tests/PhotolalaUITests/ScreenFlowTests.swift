import PhotolalaClient
import Testing

@testable import PhotolalaUI

/// The state machine that the account's screens share.
@MainActor
@Suite struct ScreenFlowTests {
    nonisolated static func error(_ code: ErrorCode) -> PhotolalaError {
        PhotolalaError(code: code, detail: "d")
    }

    @Test(
        "loading ends in the state of its result, and loading again retries",
        arguments: [
            (nil, .ready), (.serverUnreachable, .unavailable(.service(error(.serverUnreachable)))),
            (.sessionEnded, .signedOut), (.notSignedIn, .signedOut), (.cancelled, .notLoaded),
        ] as [(ErrorCode?, ScreenState<String>)])
    func load(code: ErrorCode?, expected: ScreenState<String>) async throws {
        try await ScreenFixture.signedIn { fixture in
            let screen = ScriptedScreen(fixture)
            screen.loads = [code.map { Self.error($0) }]
            screen.flow.load()
            #expect(screen.flow.state == .loading)
            await screen.flow.wait()
            #expect(screen.flow.state == expected)
            await screen.ready()
            #expect(screen.flow.state == .ready)
        }
    }

    @Test(
        "an action ends in the state of its result",
        arguments: [
            (nil, .ready), (.temporarilyUnavailable, .ready), (.sessionEnded, .signedOut), (.notSignedIn, .signedOut),
        ] as [(ErrorCode?, ScreenState<String>)])
    func act(code: ErrorCode?, expected: ScreenState<String>) async throws {
        try await ScreenFixture.signedIn { fixture in
            let screen = ScriptedScreen(fixture)
            screen.results = [code.map { Self.error($0) }]
            await screen.ready()
            screen.flow.start("a")
            #expect(screen.flow.state == .working("a"))
            await screen.flow.wait()
            #expect(screen.flow.state == expected)
            #expect(screen.flow.failure?.code == (expected == .signedOut ? nil : code))
            if expected == .ready {
                await screen.run("a")
                #expect(screen.flow.failure == nil && screen.performed == ["a", "a"])
            }
        }
    }

    @Test("an action runs only after its own confirmation, and not after a declined one")
    func confirmation() async throws {
        try await ScreenFixture.signedIn { fixture in
            let screen = ScriptedScreen(fixture)
            screen.flow.confirm("a")
            #expect(screen.flow.state == .notLoaded)
            await screen.run("a")
            await screen.ready()
            screen.flow.confirm("a")
            #expect(screen.flow.state == .confirming("a"))
            await screen.run("b")
            screen.flow.dismiss()
            #expect(screen.flow.state == .ready && screen.performed.isEmpty)
            screen.flow.confirm("a")
            await screen.run("a")
            #expect(screen.performed == ["a"])
        }
    }
}
