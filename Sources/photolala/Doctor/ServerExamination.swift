import Foundation
import PhotolalaAPI
import PhotolalaClient

/// Checks that the server answers, its version, and the difference between the clocks.
struct ServerExamination: Sendable {
    let connection: ServiceConnection
    let now: @Sendable () -> Date
    /// The time for each request.
    let limit: Duration

    /// The difference, in seconds, beyond which S3 stores refuse signatures, and below which it has no effect.
    private static let (refused, tolerated): (TimeInterval, TimeInterval) = (900, 60)

    /// - Returns: The findings, and whether the server answers.
    func findings() async -> (findings: [Finding], isReachable: Bool) {
        let ready: ServerProbe
        let (start, end): (Date, Date)
        do {
            start = now()
            ready = try await probe("/health/ready", length: 4096)
            end = now()
        } catch { return ([Finding("server", error)], false) }
        let address = connection.server.description
        guard ready.status == 200, let report = try? JSONDecoder().decode(Readiness.self, from: ready.body) else {
            let detail = "\(address) returned HTTP \(ready.status): not a Photolala server, or not ready"
            return ([Finding("server", .problem, detail, remedy: "Check --server, or ask the operator")], false)
        }
        var findings = [Finding("server", .ok, "\(address) is reachable")]
        if report.uploads == "refused" {
            findings.append(
                Finding("server", .warning, "uploads are refused: the disk is full", remedy: "Tell the operator"))
        }
        if let finding = await version() { findings.append(finding) }
        findings.append(clock(ready.date, between: start, and: end))
        return (findings, true)
    }

    private struct Readiness: Decodable {
        let status: String
        let uploads: String?
    }

    private func probe(_ path: String, length: Int) async throws -> ServerProbe {
        try await TimeLimit.within(limit) { try await connection.probe(path, length: length) }
    }

    /// Reads the version in the description of the API. A proxy may hide it.
    private func version() async -> Finding? {
        do {
            let document = try await probe("/openapi.yaml", length: 2048)
            let text = String(decoding: document.body, as: UTF8.self)
            guard document.status == 200, let version = text.firstMatch(of: /\n  version: ([0-9][^\n]*)/)?.1 else {
                return nil
            }
            let detail = "photolala \(PhotolalaVersion.current), server \(version)"
            return Finding("version", .ok, detail)
        } catch { return Finding("version", error) }
    }

    private func clock(_ date: Date?, between start: Date, and end: Date) -> Finding {
        guard let date else {
            return Finding("clock", .warning, "the server's response has no date, so the clock was not checked")
        }
        // The server's time is a whole second between both times.
        let difference = end < date ? end.timeIntervalSince(date) : max(0, start.timeIntervalSince(date) - 1)
        let text =
            "\(TimeText.text(seconds: abs(difference))) \(difference < 0 ? "behind" : "ahead of") the server"
        let remedy = "Set this machine's clock (Linux: timedatectl set-ntp true), or tell the operator"
        if abs(difference) > Self.refused {
            let detail =
                "\(text). Beyond 15 minutes, stores refuse what other S3 tools sign; photolala uses the store's time"
            return Finding("clock", .problem, detail, remedy: remedy)
        }
        if abs(difference) > Self.tolerated {
            return Finding("clock", .warning, "\(text). Beyond 15 minutes, other S3 tools are refused", remedy: remedy)
        }
        return Finding("clock", .ok, "in sync with the server")
    }
}
