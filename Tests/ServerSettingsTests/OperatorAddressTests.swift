import PhotolalaTesting
import Testing

@testable import ServiceWiring
@testable import photolala_server

/// `operator.listen`.
@Suite struct OperatorAddressTests {
    private static let longest = "/" + String(repeating: "é", count: 49) + "x"

    @Test(
        "a Unix socket has an absolute path of at most 100 bytes, and is formatted as it was parsed",
        arguments: ["/run/photolala/operator.sock", "/s", "/run/a b:9464", longest])
    func socket(path: String) throws {
        let address = try #require(OperatorAddress("unix:\(path)"))
        #expect(address == .socket(path: path) && "\(address)" == "unix:\(path)")
        let settings = try SettingsFixture.read(
            ["PHOTOLALA_OPERATOR_LISTEN": "unix:\(path)"], flags: SettingsFixture.dev)
        #expect(settings.operatorListen == address)
        #expect("\(SettingsReport(settings))".contains(/operator\.listen +unix:\//))
    }

    @Test(
        "other paths are problems",
        arguments: [
            "unix:", "unix:/", "unix:run/s", "unix:9464", "unix://", "unix:/run/", "unix:/run/.", "unix:/run/..",
            "unix:/run/a\nb", "unix:\(longest)x", "UNIX:/run/s", "/run/s",
        ])
    func invalid(text: String) throws {
        let problems = try SettingsFixture.problems(
            ["PHOTOLALA_OPERATOR_LISTEN": text], flags: SettingsFixture.dev)
        #expect(
            problems == [
                "operator.listen: must be HOST:PORT, or unix: and an absolute path of at most 100 bytes, not \"\(text)\""
            ])
    }

    @Test("only the operators' listener can have a Unix socket", arguments: ["LISTEN", "S3_LISTEN"])
    func others(name: String) throws {
        let problems = try SettingsFixture.problems(
            ["PHOTOLALA_\(name)": "unix:/run/s"], flags: [.environment: "dev", .data: "/data"])
        #expect(problems.count == 1 && problems.first?.hasSuffix(#"must be HOST:PORT, not "unix:/run/s""#) == true)
    }
}
