import PhotolalaTesting
import Testing

@testable import PhotolalaUI

@MainActor
@Suite struct SingleTaskTests {
    @Test("while a task runs, another one neither starts nor changes the state")
    func single() async {
        let (task, end) = (SingleTask(), Gate())
        var started: [Int] = []
        var ran: [Int] = []
        for number in 1...2 {
            task.start {
                started.append(number)
            } then: {
                await end.wait()
                ran.append(number)
            }
        }
        #expect(started == [1])
        end.open()
        await task.wait()
        #expect(ran == [1])
        task.start {
            started.append(3)
        } then: {
            ran.append(3)
        }
        await task.wait()
        #expect(started == [1, 3] && ran == [1, 3])
    }
}
