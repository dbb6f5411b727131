import AccountMaintenance
import Foundation
import Monitoring
import ServiceWiring

/// Writes the progress of a legacy import as metrics into a file for node_exporter's textfile collector. A command has no
/// `/metrics` of its own, and no server runs during an import.
struct ImportMetrics {
    /// The time between updates.
    private static let interval = Duration.seconds(10)

    let file: URL
    let progress = ImportProgress()

    /// Runs an import and updates the file until it ends.
    func reporting<Value>(_ work: () async throws -> Value) async throws -> Value {
        try write()
        let updates = Task {
            while (try? await Task.sleep(for: Self.interval)) != nil { try? write() }
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        updates.cancel()
        await updates.value
        try write()
        return try result.get()
    }

    /// Replaces the file at once, so that it is never read half.
    private func write() throws {
        let registry = MetricRegistry([ServiceMetric.legacyImportObjects])
        let metrics = ServiceMetrics(factory: registry)
        let counts = progress.counts
        for (state, count) in [
            ("imported", counts.imported), ("in_place", counts.inPlace), ("failed", counts.failed),
            ("remaining", counts.remaining),
        ] { metrics.set(ServiceMetric.legacyImportObjects, [state], to: Double(count)) }
        do {
            try Data(registry.prometheusText().utf8).write(to: file, options: .atomic)
        } catch {
            throw StartProblem("cannot write \(file.path): \(error.localizedDescription)")
        }
    }
}
