import PhotolalaAPI
import PhotolalaClient
import PhotolalaDirectFunctions
import PhotolalaTesting
import Testing

/// Sealing and opening an app's credentials.
@Suite struct EmbeddedCredentialsTests {
    private static let invoker = EmbeddedCredentials.Invoker(
        accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        region: "eu-central-1")

    private func seal(_ environment: DeploymentEnvironment) throws -> EmbeddedCredentials.Sealed {
        try EmbeddedCredentials.seal(Self.invoker, for: environment, randomness: .seeded(7))
    }

    private func code(_ sealed: EmbeddedCredentials.Sealed, _ environment: DeploymentEnvironment) -> ErrorCode? {
        do throws(PhotolalaError) {
            _ = try EmbeddedCredentials([sealed]).open(environment)
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `sealed credentials open in their environment and show no part of themselves`() throws {
        let sealed = try seal(.prod)
        #expect(try EmbeddedCredentials([sealed]).open(.prod) == Self.invoker)
        for part in ["AKIA", "EXAMPLE", "eu-central"] { #expect(!"\(sealed.key)\(sealed.box)".contains(part)) }
        #expect(EmbeddedCredentials([sealed]).environments == [.prod])
    }

    @Test func `credentials of another environment are missing, also under its name`() throws {
        let sealed = try seal(.stage)
        #expect(code(sealed, .prod) == .environmentNotEmbedded)
        let renamed = EmbeddedCredentials.Sealed(.prod, key: sealed.key, box: sealed.box)
        #expect(code(renamed, .prod) == .embeddedCredentialsUnusable)
    }

    @Test func `changed or malformed text does not open`() throws {
        let sealed = try seal(.prod)
        let other = try EmbeddedCredentials.seal(Self.invoker, for: .prod, randomness: .seeded(8))
        for (key, box) in [
            (other.key, sealed.box), (sealed.key, String(sealed.box.dropLast(4))), ("", sealed.box), (sealed.key, ""),
            ("AAAA", sealed.box), (sealed.key, "A" + sealed.box.dropFirst()),
        ] {
            let changed = EmbeddedCredentials.Sealed(.prod, key: key, box: box)
            #expect(code(changed, .prod) == .embeddedCredentialsUnusable, "\(key) \(box)")
        }
    }
}
