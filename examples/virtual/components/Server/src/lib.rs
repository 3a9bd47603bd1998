//! The I/O client: a server of datagrams and pages over smoltcp.
//!
//! Each packet that the driver domain forwards is a job. Datagrams to port 7 come back as they
//! are; port 80 has one page.
#![no_std]

mod link;
mod server;

use server::Server;
use spin::Mutex;

static SERVER: Mutex<Option<Server>> = Mutex::new(None);

struct Client;

impl camkes::provided::Control for Client {
    fn run() {
        camkes::compute(camkes::MICROS as usize * 800);
        SERVER.lock().get_or_insert_with(Server::new).serve();
    }
}

camkes::component!(Client);
