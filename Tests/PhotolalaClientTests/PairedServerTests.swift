import PhotolalaAPI
import Testing

@testable import PhotolalaClient

@Suite struct PairedServerTests {
    private static let hash = String(repeating: "A", count: 43)
    private static let secret = "0123456789abcdefABC-_A"
    private static let code = "photolala-pair://192.168.1.20:8080/?key=\(hash)&secret=\(secret)"

    @Test(
        "a scanned or pasted code names the server, its key and the secret",
        arguments: [code, "  \(code)\n", code.replacing("192.168.1.20", with: "[fd00::1]")])
    func parsing(text: String) throws {
        let paired = try PairedServer(text)
        #expect(["https://192.168.1.20:8080", "https://[fd00::1]:8080"].contains(paired.address.description))
        #expect(paired.keyHash == [UInt8](repeating: 0, count: 32) && paired.secret == Self.secret)
        #expect(PairingCode(text).map { PairingCode($0.description) == $0 } ?? false)
    }

    @Test(
        "any other text is refused",
        arguments: [
            "", "https://192.168.1.20:8080", "photolala-pair:", "photolala-pair://host:1/?key=\(hash)",
            "photolala-pair:///?key=\(hash)&secret=\(secret)", "x\(code)", "\(code)A", "\(code) \(code)",
            "photolala-pair://user@host/?key=\(hash)&secret=\(secret)",
            "photolala-pair://host/path/?key=\(hash)&secret=\(secret)",
            "photolala-pair://host/?key=\(hash)A&secret=\(secret)", "photolala-pair://host/?key=&secret=\(secret)",
            "photolala-pair://host/?key=\(String(repeating: "B", count: 43))&secret=\(secret)",
            "photolala-pair://host/?key=\(hash)&secret=", "photolala-pair://host/?key=\(hash)&secret=\(secret)&a=b",
        ])
    func refusals(text: String) async {
        await expect(.unusablePairingCode) { _ = try PairedServer(text) }
    }
}
