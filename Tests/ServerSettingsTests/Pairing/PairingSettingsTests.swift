import Testing

@testable import ServiceWiring

/// The settings with the flag `--pair`.
@Suite struct PairingSettingsTests {
    private static func read(
        _ flags: [SettingName: String] = SettingsFixture.dev, _ variables: [String: String] = [:],
        host: String? = "192.168.1.20"
    ) throws -> Settings {
        try Settings.read(SettingsReader(flags: flags, environment: variables, file: nil, pairingHost: host))
    }

    private static func problems(
        _ flags: [SettingName: String], _ variables: [String: String] = [:], host: String? = "192.168.1.20"
    ) -> [String] {
        do {
            _ = try read(flags, variables, host: host)
            return []
        } catch {
            return (error as? SettingsProblems)?.problems ?? ["\(error)"]
        }
    }

    @Test("both listeners use TLS on the given address")
    func addresses() throws {
        let settings = try Self.read()
        #expect(settings.isPairing && settings.publicURL == "https://192.168.1.20:8080")
        #expect("\(settings.listen)" == "192.168.1.20:8080" && settings.store.endpoint == "https://192.168.1.20:9000")
        #expect(settings.tls?.key == "/tmp/x/development-secrets/pairing.key")
        #expect(settings.servedHosts.contains("192.168.1.20:8080") && !settings.servedHosts.contains("evil.example"))
    }

    @Test("without the flag no other address than loopback is accepted, whatever the settings are")
    func onlyByFlag() throws {
        let lan = SettingsFixture.dev.merging([.listen: "192.168.1.20:8080"]) { $1 }
        let expected = ["listen: must be a loopback address in dev, such as 127.0.0.1, not 192.168.1.20:8080"]
        #expect(Self.problems(lan, host: nil) == expected)
        #expect(Self.problems(lan, ["PHOTOLALA_PAIR": "true"], host: nil).count == 2)
        let settings = try Self.read(host: nil)
        #expect(!settings.isPairing && settings.tls == nil)
    }

    @Test(
        "what would lead devices elsewhere is refused",
        arguments: [
            ("PHOTOLALA_PUBLIC_URL", "https://photos.example", "publicURL: not applicable with --pair"),
            ("PHOTOLALA_S3_ENDPOINT", "https://photos.example", "s3.endpoint: not applicable with --pair"),
            (
                "PHOTOLALA_LISTEN", "0.0.0.0:8080",
                "listen: must have one IP address of this machine with --pair, not 0.0.0.0:8080"
            ),
            (
                "PHOTOLALA_LISTEN", "[::ffff:0.0.0.0]:8080",
                "listen: must have one IP address of this machine with --pair, not [::ffff:0.0.0.0]:8080"
            ),
            (
                "PHOTOLALA_S3_LISTEN", "[::]:9000",
                "s3.listen: must have one IP address of this machine with --pair, not [::]:9000"
            ),
            (
                "PHOTOLALA_LISTEN", "mac.local:8080",
                "listen: must have one IP address of this machine with --pair, not mac.local:8080"
            ),
            (
                "PHOTOLALA_OPERATOR_LISTEN", "192.168.1.20:9100",
                "operator.listen: must be a loopback address in dev, such as 127.0.0.1, not 192.168.1.20:9100"
            ),
        ])
    func refusals(variable: String, value: String, problem: String) {
        #expect(Self.problems(SettingsFixture.dev, [variable: value]) == [problem])
    }

    @Test("pairing is only for a folder in dev, with the certificate that it makes")
    func otherModes() {
        let stage: [SettingName: String] = [.environment: "stage", .data: "/tmp/x"]
        #expect(Self.problems(stage).contains("--pair: only in dev"))
        #expect(
            Self.problems([.environment: "dev"], SettingsFixture.bucket).contains(
                "--pair: not applicable with store s3"))
        let files = ["PHOTOLALA_TLS_CERTIFICATE": "/tls.crt", "PHOTOLALA_TLS_KEY": "/tls.key"]
        #expect(
            Self.problems(SettingsFixture.dev, files) == [
                "tls.certificate: not applicable with --pair", "tls.key: not applicable with --pair",
            ])
    }
}
