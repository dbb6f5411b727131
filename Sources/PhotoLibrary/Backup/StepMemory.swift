/// The memory of running steps. Held files and streamed files have separate budgets, so that neither kind waits for the
/// other.
struct StepMemory: Sendable {
    private let settings: BackupSettings
    private var held: MemoryBudget
    private var streamed: MemoryBudget

    init(_ settings: BackupSettings) {
        self.settings = settings
        held = MemoryBudget(settings.heldBytes)
        streamed = MemoryBudget(settings.streamedBytes)
    }

    func hasRoom(for step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.hasRoom(for: bytes) : held.hasRoom(for: bytes)
    }

    /// Reserves the memory that a step needs; returns whether it was available.
    mutating func take(_ step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.take(bytes) : held.take(bytes)
    }

    mutating func give(_ step: BackupStep) {
        let bytes = step.bytesInMemory(settings)
        if step.isStreamed { streamed.give(bytes) } else { held.give(bytes) }
    }
}
