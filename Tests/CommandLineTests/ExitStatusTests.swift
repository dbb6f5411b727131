import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("Exit statuses") struct ExitStatusTests {
    @Test(
        "an error exits with its documented status",
        arguments: [
            (.notSignedIn, 3), (.sessionEnded, 3), (.unauthorized, 3), (.localStateUnusable, 3), (.noAccountFound, 4),
            (.accountAlreadyExists, 5), (.alreadySignedIn, 5), (.anotherServer, 5), (.catalogDamaged, 1),
            (.providerAlreadyLinked, 5), (.reauthenticationRequired, 6), (.serverUnreachable, 7),
            (.noResponse, 7), (.outcomeUnknown, 7), (.temporarilyUnavailable, 7), (.rateLimited, 7),
            (.syncUnderWay, 7),
            (.unusableAddress, 64), (.unusablePairingCode, 64),
            (.invalidToken, 65), (.challengeRequired, 65), (.invalidChallenge, 65), (.invalidPendingIdentity, 65),
            (.unknownProvider, 64), (.accountDisabled, 65), (.cancelled, 130), (.internalError, 1), (.outOfSpace, 1),
            (ErrorCode(rawValue: "of_a_newer_server"), 1),
        ] as [(ErrorCode, Int32)]
    )
    func mapping(_ code: ErrorCode, _ status: Int32) { #expect(ExitStatus(code).rawValue == status) }

    @Test("the document lists every exit status")
    func documented() throws {
        let text = try CommandLineDocument.text()
        for status in ExitStatus.allCases { #expect(text.contains("| \(status.rawValue) |"), "\(status)") }
    }

    @Test("the document lists every subcommand")
    func subcommands() throws {
        let text = try CommandLineDocument.text()
        for command in Photolala.configuration.subcommands {
            let name = try #require(command.configuration.commandName)
            #expect(text.contains("### `photolala \(name)"), "\(name)")
        }
    }
}
