/// The memory of running steps. Held files and streamed files have separate budgets, so that neither kind waits for the
/// other.
struct StepMemory: Sendable {
    private let settings: BackupSettings
    private var buffered: MemoryBudget
    private var streamed: MemoryBudget

    init(_ settings: BackupSettings) {
        self.settings = settings
        buffered = MemoryBudget(settings.bufferedBytes)
        streamed = MemoryBudget(settings.streamedBytes)
    }

    func canReserve(for step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.canReserve(for: bytes) : buffered.canReserve(for: bytes)
    }

    /// Reserves the memory that a step needs; returns whether it was available.
    mutating func reserve(_ step: BackupStep) -> Bool {
        let bytes = step.bytesInMemory(settings)
        return step.isStreamed ? streamed.reserve(bytes) : buffered.reserve(bytes)
    }

    mutating func release(_ step: BackupStep) {
        let bytes = step.bytesInMemory(settings)
        if step.isStreamed { streamed.release(bytes) } else { buffered.release(bytes) }
    }
}
