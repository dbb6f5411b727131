import Accounts
import Testing

@testable import photolala_server

/// What an operator is told when a team transfer stops.
@Suite struct TeamTransferProblemTests {
    @Test(
        "Each reason is a sentence that says what to look at",
        arguments: [
            (TeamTransferError.provider(.unavailable("timeout")), "timeout"),
            (.provider(.misconfigured("invalid_client")), "apple.teamID"),
            (.account(.store(.unavailable("down"))), "down"),
        ])
    func told(error: TeamTransferError, part: String) throws {
        let text = StartProblem(error, try SettingsFixture.read(flags: SettingsFixture.dev)).description
        #expect(text.contains(part) && !text.contains("no name here"), "\(text)")
    }
}
