import AccountMaintenance
import Accounts
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// Messages for the operator about an interrupted team transfer.
@Suite struct TeamTransferProblemTests {
    @Test(
        "each reason is a sentence that names what to check",
        arguments: [
            (TeamTransferError.provider(.unavailable("timeout")), "timeout"),
            (.provider(.misconfigured("invalid_client")), "apple.teamID"),
            (.account(.store(.unavailable("down"))), "down"),
        ])
    func reported(error: TeamTransferError, part: String) throws {
        let text = StartProblem(ofCommand: error, try SettingsFixture.read(flags: SettingsFixture.dev)).description
        #expect(text.contains(part) && !text.contains("unexpected error"), "\(text)")
    }
}
