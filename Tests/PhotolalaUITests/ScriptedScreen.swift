import PhotolalaClient
import PhotolalaTesting

@testable import PhotolalaUI

/// A screen whose calls succeed unless a test says otherwise.
@MainActor
final class ScriptedScreen {
    let flow: ScreenFlow<String>
    var loads: [PhotolalaError?] = []
    var results: [PhotolalaError?] = []
    var outcome = ScreenOutcome.ready
    var performed: [String] = []
    var fetches = 0
    var gates: (arrived: Gate, end: Gate)?

    init(_ fixture: ScreenFixture) {
        flow = ScreenFlow(fixture.context)
        flow.connect(
            fetch: { [self] in
                fetches += 1
                try next(&loads)
            }
        ) { [self] action in
            performed.append(action)
            if let gates {
                gates.arrived.open()
                await gates.end.wait()
            }
            try next(&results)
            return outcome
        }
    }

    private func next(_ errors: inout [PhotolalaError?]) throws {
        if !errors.isEmpty, let error = errors.removeFirst() { throw error }
    }

    func ready() async {
        flow.load()
        await flow.wait()
    }

    func run(_ action: String) async {
        flow.start(action)
        await flow.wait()
    }
}
