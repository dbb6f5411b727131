import ArgumentParser
import Foundation
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// The arguments of the `account` commands.
@Suite struct AccountCommandTests {
    private static let user = "04762573-13e2-425e-aef4-2c715e7296fa"

    @Test("a deletion requires the account id twice")
    func confirmation() throws {
        let words = [Self.user, "--reason", "Ticket 4711"]
        _ = try DeleteAccount.parse(words + ["--confirm", Self.user])
        _ = try DeleteAccount.parse(words + ["--confirm", Self.user.uppercased()])
        for wrong in [[], ["--confirm", "04762573-13e2-425e-aef4-2c715e7296fb"], ["--confirm", "yes"]] {
            #expect(throws: (any Error).self) { try DeleteAccount.parse(words + wrong) }
        }
    }

    @Test("a change requires an account id and a printable reason")
    func reason() throws {
        _ = try HoldAccount.parse([Self.user, "--reason", "Court order 7"])
        for wrong in [
            ["bob", "--reason", "x"], [Self.user], [Self.user, "--reason", ""], [Self.user, "--reason", "a\nb"],
        ] {
            #expect(throws: (any Error).self) { try HoldAccount.parse(wrong) }
        }
    }

    @Test("an account is named by its id or by an identity, not by both")
    func lookUp() throws {
        let identity = ["--provider", "apple", "--subject", "001234.abc"]
        _ = try ShowAccount.parse([Self.user])
        _ = try ShowAccount.parse(identity)
        for wrong in [
            [], [Self.user] + identity, ["bob"], Array(identity.prefix(2)), Array(identity.suffix(2)),
            ["--provider", "a/b", "--subject", "x"],
        ] {
            #expect(throws: (any Error).self) { try ShowAccount.parse(wrong) }
        }
    }
}
