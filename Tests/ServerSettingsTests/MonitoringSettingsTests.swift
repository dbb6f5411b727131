import Testing

@testable import ServiceWiring

/// The settings of traces and of metrics for CloudWatch.
@Suite struct MonitoringSettingsTests {
    @Test("without a collector nothing is traced, and with one a hundredth of the requests")
    func traces() throws {
        #expect(try SettingsFixture.read(flags: SettingsFixture.dev).traces == nil)
        let settings = try SettingsFixture.read(
            ["PHOTOLALA_TRACES_OTLP": "https://otlp.example/v1/traces?key=1"], flags: SettingsFixture.dev)
        let traces = try #require(settings.traces)
        #expect(traces.url == "https://otlp.example/v1/traces?key=1" && traces.percent == 1)
    }

    @Test(
        "a URL that names no path for traces, or carries a password, is refused without being shown",
        arguments: [
            "http://127.0.0.1:4318", "http://127.0.0.1:4318/", "ftp://otlp.example/v1/traces",
            "https://user:secret@otlp.example/v1/traces", "https://otlp.example/v1/traces#secret", "otlp.example",
        ])
    func collector(url: String) throws {
        let problems = try SettingsFixture.problems(["PHOTOLALA_TRACES_OTLP": url], flags: SettingsFixture.dev)
        #expect(problems.count == 1 && problems[0].hasPrefix("traces.otlp: "), "\(problems)")
        #expect(!problems.joined().contains("secret"))
    }

    @Test("a percentage needs a collector and is 0 to 100", arguments: [["-1"], ["101"], ["x"], []])
    func percent(value: [String]) throws {
        var variables = ["PHOTOLALA_TRACES_PERCENT": value.first ?? "10"]
        if !value.isEmpty { variables["PHOTOLALA_TRACES_OTLP"] = "http://127.0.0.1:4318/v1/traces" }
        #expect(try SettingsFixture.problems(variables, flags: SettingsFixture.dev).count == 1)
    }

    @Test(
        "a namespace of CloudWatch is 1 to 255 permitted characters and not one of AWS",
        arguments: ["AWS/Photolala", "a b", String(repeating: "a", count: 256)])
    func namespace(text: String) throws {
        let problems = try SettingsFixture.problems(["PHOTOLALA_METRICS_EMF": text], flags: SettingsFixture.dev)
        #expect(problems.first?.hasPrefix("metrics.emf: ") == true)
        let settings = try SettingsFixture.read(
            ["PHOTOLALA_METRICS_EMF": "Photolala/prod"], flags: SettingsFixture.dev)
        #expect(settings.emfNamespace == "Photolala/prod")
    }
}
