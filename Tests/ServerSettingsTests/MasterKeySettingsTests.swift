import Foundation
import Secrets
import Testing

@testable import ServiceWiring

/// Master keys have unique ids and bytes and are never shown.
@Suite struct MasterKeySettingsTests {
    private func key(_ id: String, _ byte: UInt8) -> String {
        "\(id):\(Data(repeating: byte, count: 32).base64EncodedString())"
    }

    private func problems(_ master: String?, _ previous: String...) throws -> [String] {
        var variables = ["PHOTOLALA_KEYS_PREVIOUS": previous.joined(separator: ",")]
        variables["PHOTOLALA_KEYS_MASTER"] = master
        return try SettingsFixture.problems(variables, flags: SettingsFixture.dev)
    }

    @Test("different keys with different ids are accepted")
    func different() throws {
        #expect(try problems(key("k3", 3), key("k1", 1), key("k2", 2)).isEmpty)
    }

    @Test("two keys with the same id are reported")
    func sameID() throws {
        let problem = "keys.master, keys.previous: duplicate key id k1"
        #expect(try problems(key("k1", 1), key("k1", 2)) == [problem])
        #expect(try problems(key("k1", 1), key("k1", 1)) == [problem])
        #expect(try problems(key("k2", 1), key("k1", 2), key("k1", 3)) == [problem])
        #expect(try problems(nil, key("dev", 1)).count == 1)
    }

    @Test("the same key with two ids is reported")
    func sameBytes() throws {
        #expect(
            try problems(key("k2", 1), key("k1", 1))
                == ["keys.master, keys.previous: k2 and k1 are the same key"]
        )
        #expect(try problems(key("k3", 3), key("k1", 1), key("k2", 1)).count == 1)
    }

    @Test("authentication codes of one key are invalid in another environment")
    func twoEnvironments() throws {
        let variables = ["PHOTOLALA_KEYS_MASTER": key("k1", 1), "PHOTOLALA_APPLE_AUDIENCES": "app"]
        let dev = try SettingsFixture.read(variables, flags: SettingsFixture.dev)
        let other = try SettingsFixture.read(variables, flags: [.environment: "stage", .data: "/tmp/x"])
        let code = try LiveStore.makeKeyRing(dev).authenticationCode(of: Data([1]), for: .challenge)
        #expect(try LiveStore.makeKeyRing(dev).isAuthentic(code, of: Data([1]), for: .challenge, keyID: "k1"))
        #expect(try !LiveStore.makeKeyRing(other).isAuthentic(code, of: Data([1]), for: .challenge, keyID: "k1"))
    }

    @Test("only one master key is accepted")
    func one() throws {
        #expect(try problems("\(key("k1", 1)),\(key("k2", 2))").count == 1)
    }

    @Test("a problem never contains a master key")
    func secretsStaySecret() throws {
        let wrong = try problems("K1:c2VjcmV0", "c2VjcmV0", "k1:c2VjcmV0")
        #expect(wrong.count == 3)
        #expect(!wrong.joined().contains("c2VjcmV0"))
        let file = try SettingsFixture.problems(
            flags: SettingsFixture.dev, file: #"{"keys": {"master": ["c2VjcmV0"], "previous": {"a": "c2VjcmV0"}}}"#
        )
        #expect(file.count == 2)
        #expect(!file.joined().contains("c2VjcmV0"))
    }
}
