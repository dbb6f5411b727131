import Foundation
import PhotolalaAPI
import PhotolalaClient
import Testing

@testable import photolala

@Suite("What to do next") struct AdviceTests {
    @Test("A sign-in that found no account says that nothing was created, and what to type")
    func noAccount() throws {
        let lines = Advice.noAccount(provider: .google, options: "--provider google --dev-user bob", hints: [])
        #expect(
            lines == [
                "Nothing was created.", "Did you use another provider before? Sign in with that one:",
                "  photolala signin --provider apple",
                "To let google open that account from then on (within 10 minutes, on this device):",
                "  photolala signin --provider apple --link-pending",
                "New here? Create an account:",
                "  photolala signup --pending   (within 10 minutes)   or   "
                    + "photolala signup --provider google --dev-user bob",
            ]
        )
    }

    @Test("A hint names the provider that opens the account")
    func hint() {
        let hints = [AccountHint(provider: .apple)]
        let lines = Advice.noAccount(provider: .google, options: "--provider google", hints: hints)
        #expect(lines.contains("You have an account that opens with another provider:"))
        #expect(lines.contains("  photolala signin --provider apple"))
    }

    @Test("Every command that is advised can be parsed")
    func parsed() throws {
        let options = "--provider google --dev-user bob"
        let lines =
            Advice.noAccount(provider: .google, options: options, hints: [])
            + ["photolala reauthenticate --provider apple", "photolala whoami", "photolala devices"]
        let commands = lines.flatMap { $0.components(separatedBy: "   ") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { $0.hasPrefix("photolala ") }
        #expect(commands.count == 7)
        for command in commands {
            let arguments = command.split(separator: " ").dropFirst().map(String.init)
            #expect(throws: Never.self) { try Photolala.parseAsRoot(arguments) }
        }
    }
}
