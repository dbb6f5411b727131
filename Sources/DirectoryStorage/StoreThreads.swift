import NIOPosix

/// The threads on which a store blocks, so that no task does.
struct StoreThreads: Sendable {
    let readers: NIOThreadPool
    let writers: NIOThreadPool

    init(readers: NIOThreadPool, writers: NIOThreadPool) {
        self.readers = readers
        self.writers = writers
    }

    init() {
        self.init(readers: NIOThreadPool(numberOfThreads: 4), writers: NIOThreadPool(numberOfThreads: 12))
        readers.start()
        writers.start()
    }

    /// For a store that nobody closed.
    func stop() {
        readers.shutdownGracefully { _ in }
        writers.shutdownGracefully { _ in }
    }
}
