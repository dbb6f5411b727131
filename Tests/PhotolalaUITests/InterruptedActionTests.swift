import PhotolalaClient
import PhotolalaTesting
import Testing

@testable import PhotolalaUI

/// Second taps, cancellation, and failures after the screen has finished.
@MainActor
@Suite struct InterruptedActionTests {
    @Test("while an action runs, no other call starts")
    func doubleTap() async throws {
        try await ScreenFixture.signedIn { fixture in
            let screen = ScriptedScreen(fixture)
            await screen.ready()
            let gates = (arrived: Gate(), end: Gate())
            screen.gates = gates
            screen.flow.start("a")
            screen.flow.start("a")
            await gates.arrived.wait()
            screen.flow.start("b")
            screen.flow.confirm("b")
            screen.flow.load()
            screen.flow.dismiss()
            #expect(screen.flow.state == .working("a"))
            gates.end.open()
            await screen.flow.wait()
            #expect(screen.performed == ["a"] && screen.flow.state == .ready)
        }
    }

    @Test(
        "a cancelled action shows its success, and of its failures only an unknown outcome and the end of the session",
        arguments: [
            (nil, .finished, nil), (.cancelled, .ready, nil), (.noResponse, .ready, nil),
            (.outcomeUnknown, .ready, .outcomeUnknown), (.sessionEnded, .signedOut, nil),
            (.reauthenticationRequired, .ready, nil),
        ] as [(ErrorCode?, ScreenState<String>, ErrorCode?)])
    func cancel(code: ErrorCode?, expected: ScreenState<String>, shown: ErrorCode?) async throws {
        try await ScreenFixture.signedIn { fixture in
            let screen = ScriptedScreen(fixture)
            await screen.ready()
            let gates = (arrived: Gate(), end: Gate())
            (screen.gates, screen.outcome, screen.results) = (
                gates, .finished, [code.map { ScreenFlowTests.error($0) }]
            )
            screen.flow.start("a")
            await gates.arrived.wait()
            screen.flow.cancel()
            await screen.flow.wait()
            #expect(screen.flow.state == expected && screen.flow.failure?.code == shown)
            #expect(fixture.count("/auth/linked-accounts") == 0)
            #expect(screen.fetches == (expected == .ready ? 2 : 1), "the server may have performed the action")
        }
    }

    @Test("a failure after the screen has finished keeps what it shows")
    func finished() async throws {
        try await ScreenFixture.signedIn { fixture in
            let screen = ScriptedScreen(fixture)
            await screen.ready()
            screen.outcome = .finished
            await screen.run("a")
            screen.results = [ScreenFlowTests.error(.localStorageFailed)]
            await screen.run("b")
            #expect(screen.flow.state == .finished && screen.flow.failure?.code == .localStorageFailed)
            screen.outcome = .signedOut
            await screen.run("b")
            #expect(screen.flow.state == .signedOut)
        }
    }
}
